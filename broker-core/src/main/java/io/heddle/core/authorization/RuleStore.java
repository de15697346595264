package io.heddle.core.authorization;

import io.heddle.core.Port;
import org.jspecify.annotations.Nullable;

/** Stores the rules for topics. Thread-safe; all methods block, and throw {@link io.heddle.core.StoreUnavailableException} without an answer. */
@Port
public interface RuleStore {
    /** Returns the stored rules, or null if there are none. */
    @Nullable
    StoredRules find();

    /**
     * Replaces the rules.
     *
     * @param present the version that is replaced, or 0 if there must be none
     * @param version of the new rules, above {@code present}
     * @return the new rules, or null if the store has another version than {@code present}
     */
    @Nullable
    StoredRules replace(long present, long version, String text, String changedBy);
}
