package io.heddle.api.audit;

import org.jspecify.annotations.Nullable;

/**
 * The result of a change.
 *
 * @param result what the caller returns
 * @param after the object after the change, which becomes JSON and must have no secrets; null if nothing is left or worth recording
 */
public record Audited<T extends @Nullable Object>(
        T result, @Nullable Object after) {
    /** Returns a result that is the object after the change. */
    public static <T> Audited<T> of(T result) {
        return new Audited<>(result, result);
    }

    /** Returns the result of a change that returns nothing and leaves nothing to record. */
    public static Audited<@Nullable Void> nothing() {
        return new Audited<>(null, null);
    }
}
