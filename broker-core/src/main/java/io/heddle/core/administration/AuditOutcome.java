package io.heddle.core.administration;

public enum AuditOutcome {
    /** The change has begun. An entry that stays so belongs to a node that ended, or that could not reach the store afterwards. */
    ATTEMPTED,
    /** The change was made. */
    DONE,
    /** The change was refused or failed; a part of it may have been made. */
    FAILED,
    /** A store or node has not answered in time; the change may have been made, or may still be. */
    UNKNOWN
}
