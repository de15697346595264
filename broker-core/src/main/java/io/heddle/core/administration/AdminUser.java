package io.heddle.core.administration;

import java.util.UUID;

/**
 * An account that may administer the broker.
 *
 * @param userName unique and case-sensitive; 1 to {@link #MAX_USER_NAME_LENGTH} characters
 * @param passwordHash the result of {@link io.heddle.core.authentication.PasswordHash#hash}
 */
public record AdminUser(UUID id, String userName, String passwordHash, AdminRole role) {
    /** The longest user name, in UTF-16 characters. */
    public static final int MAX_USER_NAME_LENGTH = 255;

    public AdminUser {
        if (userName.isBlank() || userName.length() > MAX_USER_NAME_LENGTH) {
            throw new IllegalArgumentException("user name of an administrator has " + userName.length()
                    + " characters or is blank: use 1 to " + MAX_USER_NAME_LENGTH + " characters");
        }
    }

    /** Omits the hash. */
    @Override
    public String toString() {
        return "AdminUser[" + id + ", userName=" + userName + ", " + role + "]";
    }
}
