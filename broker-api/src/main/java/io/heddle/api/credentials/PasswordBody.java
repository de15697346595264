package io.heddle.api.credentials;

import org.jspecify.annotations.Nullable;

/** Body of a request that changes the password of credentials. */
record PasswordBody(@Nullable String password) {
    /** Omits the password. */
    @Override
    public String toString() {
        return "PasswordBody[]";
    }
}
