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
 * @param proof what is stored of the password, or that there is a certificate in its place
 * @param certificate which certificates prove them; null if they have a password, or a pin that this version cannot read
 */
record CredentialsResponse(
        UUID id,
        @Nullable String clientId,
        @Nullable String userName,
        String type,
        List<String> groups,
        Proof proof,
        @Nullable String certificate) {
    enum Proof {
        ARGON2ID,
        SCRAM_SHA_256,
        SCRAM_SHA_512,
        /** A hash of other software, which the next sign-in replaces. */
        FOREIGN_HASH,
        CERTIFICATE;

        private static Proof of(String hash) {
            if (hash.startsWith(CertificatePin.PREFIX)) {
                return CERTIFICATE;
            }
            if (hash.startsWith("SCRAM-SHA-256$")) {
                return SCRAM_SHA_256;
            }
            if (hash.startsWith("SCRAM-SHA-512$")) {
                return SCRAM_SHA_512;
            }
            return hash.startsWith("$argon2id$") ? ARGON2ID : FOREIGN_HASH;
        }
    }

    static CredentialsResponse of(StoredCredentials credentials) {
        CertificatePin pin = CertificatePin.ofStored(credentials.passwordHash());
        return new CredentialsResponse(
                credentials.id(),
                credentials.clientId() == null ? null : credentials.clientId().value(),
                credentials.userName(),
                credentials.type().name(),
                credentials.groups(),
                Proof.of(credentials.passwordHash()),
                pin == null ? null : pin.text());
    }
}
