package io.heddle.api.administrators;

import org.jspecify.annotations.Nullable;

/**
 * Body of a request that changes an administrator; null stays as it is.
 *
 * @param role ADMIN, OPERATOR or VIEWER
 */
record AdministratorChange(
        @Nullable String password, @Nullable String role) {
    /** Omits the password. */
    @Override
    public String toString() {
        return "AdministratorChange[role=" + role + "]";
    }
}
