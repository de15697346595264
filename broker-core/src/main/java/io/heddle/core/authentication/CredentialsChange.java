package io.heddle.core.authentication;

public enum CredentialsChange {
    DONE,
    /** No credentials have the id, or they have changed meanwhile. */
    ABSENT,
    /** Other credentials have the new names. */
    NAMES_TAKEN
}
