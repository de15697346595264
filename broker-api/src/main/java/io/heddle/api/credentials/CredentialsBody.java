package io.heddle.api.credentials;

import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Body of a request that creates or replaces credentials.
 *
 * @param clientId null for any client id
 * @param userName null for any user name
 * @param type DEVICE or APPLICATION; null for DEVICE in new credentials, required to replace existing ones
 * @param groups their names; null for none in new credentials, and keeps those of existing ones
 * @param scram SHA-256 or SHA-512 to store the password as a verifier for SCRAM; null for an Argon2id hash. Requires a password
 * @param password new credentials have a password or a certificate; null in both keeps what existing ones have
 * @param certificate a {@link io.heddle.core.authentication.certificate.CertificatePin}
 */
record CredentialsBody(
        @Nullable String clientId,
        @Nullable String userName,
        @Nullable String type,
        @Nullable List<@Nullable String> groups,
        @Nullable String scram,
        @Nullable String password,
        @Nullable String certificate) {
    /** Omits the password. */
    @Override
    public String toString() {
        return "CredentialsBody[clientId=" + clientId + ", userName=" + userName + ", type=" + type + ", groups="
                + groups + ", certificate=" + certificate + "]";
    }
}
