package io.heddle.api.credentials;

import io.heddle.core.authentication.StoredCredentials;
import java.util.List;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of credentials.
 *
 * @param clientId null for any client id
 * @param userName null for any user name
 * @param type DEVICE or APPLICATION
 * @param groups in ascending order
 */
record CredentialsResponse(
        UUID id, @Nullable String clientId, @Nullable String userName, String type, List<String> groups) {
    static CredentialsResponse of(StoredCredentials credentials) {
        return new CredentialsResponse(
                credentials.id(),
                credentials.clientId() == null ? null : credentials.clientId().value(),
                credentials.userName(),
                credentials.type().name(),
                credentials.groups());
    }
}
