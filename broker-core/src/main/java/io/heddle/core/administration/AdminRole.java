package io.heddle.core.administration;

/** The permissions of an administrator. */
public enum AdminRole {
    /** May read and change everything. */
    ADMIN,
    /** May read but not change. */
    VIEWER
}
