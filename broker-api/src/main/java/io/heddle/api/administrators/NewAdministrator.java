package io.heddle.api.administrators;

import org.jspecify.annotations.Nullable;

/**
 * Body of a request that creates an administrator. Without a custom text, because it has a password.
 *
 * @param role ADMIN, OPERATOR or VIEWER
 */
record NewAdministrator(
        @Nullable String userName,
        @Nullable String password,
        @Nullable String role) {
    /** Omits the password. */
    @Override
    public String toString() {
        return "NewAdministrator[userName=" + userName + ", role=" + role + "]";
    }
}
