package io.heddle.core.authentication;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * What an administrator stored about clients that may connect: whoever shows this client id and this user name (of which one
 * may be left open, but not both) and knows the password.
 *
 * @param clientId the client id it is for, or null for any
 * @param userName the user name it is for, or null for any
 * @param type the type that such a client gets
 * @param passwordHash as {@link PasswordHash} made it
 */
public record StoredCredentials(
        UUID id, @Nullable ClientId clientId, @Nullable String userName, ClientType type, String passwordHash) {
    public StoredCredentials {
        if (clientId == null && userName == null) {
            throw new IllegalArgumentException("credentials need a client id, a user name or both");
        }
    }

    /** Whether a client with this user name, or without one, may use them. */
    public boolean fit(@Nullable String shownUserName) {
        return userName == null || userName.equals(shownUserName);
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return "StoredCredentials[" + id + ", clientId=" + clientId + ", userName=" + userName + ", " + type + "]";
    }
}
