package io.heddle.core.administration;

/** What an administrator may do. */
public enum AdminRole {
    /** Everything. */
    ADMIN,
    /** Look, but not change. */
    VIEWER
}
