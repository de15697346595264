package io.heddle.api.credentials;

import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.authentication.certificate.CertificatePin;
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
 * @param certificate which certificates prove them; null if they have a password
 */
record CredentialsResponse(
        UUID id,
        @Nullable String clientId,
        @Nullable String userName,
        String type,
        List<String> groups,
        @Nullable String certificate) {
    static CredentialsResponse of(StoredCredentials credentials) {
        CertificatePin pin = CertificatePin.ofStored(credentials.passwordHash());
        return new CredentialsResponse(
                credentials.id(),
                credentials.clientId() == null ? null : credentials.clientId().value(),
                credentials.userName(),
                credentials.type().name(),
                credentials.groups(),
                pin == null ? null : pin.text());
    }
}
