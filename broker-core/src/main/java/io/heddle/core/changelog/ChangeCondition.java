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
     * The change repeats the value that the key has, because its last record took no effect, and compaction keeps only the last record. It
     * takes effect for followers that do not find this last record in the log.
     *
     * @param overtaken the offset of the record that took no effect, in the same partition
     */
    record Repeated(long overtaken) implements ChangeCondition {}
}
