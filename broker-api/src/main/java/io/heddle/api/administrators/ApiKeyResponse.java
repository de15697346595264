package io.heddle.api.administrators;

import io.heddle.core.administration.ApiKey;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * JSON representation of an API key, without its secret.
 *
 * @param role ADMIN, OPERATOR or VIEWER
 * @param expiresAt null if the key does not expire
 */
record ApiKeyResponse(String name, String role, @Nullable Instant expiresAt, String createdBy, Instant createdAt) {
    static ApiKeyResponse of(ApiKey key) {
        return new ApiKeyResponse(key.name(), key.role().name(), key.expiresAt(), key.createdBy(), key.createdAt());
    }
}
