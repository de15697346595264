package io.heddle.api.administrators;

import org.jspecify.annotations.Nullable;

/** Body of a request that changes the password of the administrator who sends it. */
record AccountPassword(@Nullable String password) {
    /** Omits the password. */
    @Override
    public String toString() {
        return "AccountPassword[]";
    }
}
