package io.heddle.core.changelog;

/**
 * The condition under which a change takes effect. Each follower evaluates it with the value that the key has at the place of the change in
 * the log, so that all come to the same result.
 */
public sealed interface ChangeCondition {
    /** The change takes effect in any case. */
    enum Always implements ChangeCondition {
        ALWAYS
    }

    /**
     * A removal that takes effect unless the value expires later, or never.
     *
     * @param millis milliseconds since 1970
     */
    record ExpiredBy(long millis) implements ChangeCondition {}

    /**
     * The change repeats the value that the key has, because compaction keeps only the last record of a key. It has no effect if the key has
     * another value. A follower that reads no earlier record of the key takes the value.
     */
    enum Repeated implements ChangeCondition {
        REPEATED
    }
}
