package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Credentials stored by an administrator. They match a client with this client id, user name (either may be left open, but not
 * both) and password.
 *
 * @param clientId the client id, or null for any
 * @param userName the user name, or null for any
 * @param type the type of a matching client
 * @param passwordHash the result of {@link PasswordHash#hash}
 */
public record StoredCredentials(
        UUID id, @Nullable ClientId clientId, @Nullable String userName, ClientType type, String passwordHash) {
    public StoredCredentials {
        if (clientId == null && userName == null) {
            throw new IllegalArgumentException("credentials need a client id, a user name or both");
        }
    }

    /** Returns whether a client with this user name, or without one, may use them. */
    public boolean fit(@Nullable String clientUserName) {
        return userName == null || userName.equals(clientUserName);
    }

    /** Omits the hash. */
    @Override
    public String toString() {
        return "StoredCredentials[" + id + ", clientId=" + clientId + ", userName=" + userName + ", " + type + "]";
    }
}
