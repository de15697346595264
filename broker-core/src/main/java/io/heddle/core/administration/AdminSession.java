package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Instant;
import java.util.UUID;

/**
 * A session of an administrator in a browser.
 *
 * @param id names the session to its administrator; not a secret
 * @param tokenHash the result of {@link AdminSessionToken#hash}
 * @param account the result of {@link #account} at the sign-in
 * @param address the remote address of the sign-in; may be empty
 * @param createdAt in milliseconds
 * @param lastUsedAt in milliseconds; up to a minute before the latest request
 * @param expiresAt in milliseconds; the session ends then, however much it is used
 */
public record AdminSession(
        UUID id,
        String tokenHash,
        String userName,
        String account,
        String address,
        Instant createdAt,
        Instant lastUsedAt,
        Instant expiresAt) {
    /**
     * Returns a text that is another one after a change of the password, and for another administrator who gets the name. The salt in the hash
     * of the password protects it.
     */
    public static String account(AdminUser user) {
        return AdminSessionToken.sha256((user.id() + " " + user.passwordHash()).getBytes(UTF_8));
    }

    /** Returns this session with another time of its latest use. */
    public AdminSession usedAt(Instant time) {
        return new AdminSession(id, tokenHash, userName, account, address, createdAt, time, expiresAt);
    }

    /** Omits the hashes. */
    @Override
    public String toString() {
        return "AdminSession[" + id + ", userName=" + userName + ", expiresAt=" + expiresAt + "]";
    }
}
