package io.heddle.api.credentials;

import org.jspecify.annotations.Nullable;

/**
 * Body of a request that creates or replaces credentials.
 *
 * @param clientId null for any client id
 * @param userName null for any user name
 * @param type DEVICE or APPLICATION; null for DEVICE in new credentials, required to replace existing ones
 * @param password required for new credentials; null keeps the password of existing ones
 */
record CredentialsBody(
        @Nullable String clientId,
        @Nullable String userName,
        @Nullable String type,
        @Nullable String password) {
    /** Omits the password. */
    @Override
    public String toString() {
        return "CredentialsBody[clientId=" + clientId + ", userName=" + userName + ", type=" + type + "]";
    }
}
