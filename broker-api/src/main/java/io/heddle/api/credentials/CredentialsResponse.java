package io.heddle.api.credentials;

import io.heddle.core.authentication.StoredCredentials;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of credentials.
 *
 * @param clientId null for any client id
 * @param userName null for any user name
 * @param type DEVICE or APPLICATION
 */
record CredentialsResponse(
        UUID id, @Nullable String clientId, @Nullable String userName, String type) {
    static CredentialsResponse of(StoredCredentials credentials) {
        return new CredentialsResponse(
                credentials.id(),
                credentials.clientId() == null ? null : credentials.clientId().value(),
                credentials.userName(),
                credentials.type().name());
    }
}
