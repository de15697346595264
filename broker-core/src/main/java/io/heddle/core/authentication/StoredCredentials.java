package io.heddle.core.authentication;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.CredentialsVersion;
import io.heddle.core.mqtt.BinaryData;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Credentials stored by an administrator. They match a client with this client id, user name (either may be left open, but not
 * both) and password.
 *
 * @param clientId the client id, or null for any
 * @param userName the user name, or null for any
 * @param type the type of a matching client
 * @param groups the groups of a matching client, for rules, in ascending order; see {@link GroupNames}
 * @param passwordHash the result of {@link PasswordHash#hash}, or a hash of other software
 * @param renewedFrom the {@linkplain #hashFingerprint fingerprint} of the hash that was stored with them, if it was renewed since; otherwise null
 */
public record StoredCredentials(
        UUID id,
        @Nullable ClientId clientId,
        @Nullable String userName,
        ClientType type,
        List<String> groups,
        String passwordHash,
        @Nullable Long renewedFrom) {
    private static final long FINGERPRINT_SEED = 0xcbf29ce484222325L;
    private static final long FINGERPRINT_PRIME = 0x100000001b3L;

    /** Creates credentials as they are stored first, in no group. */
    public StoredCredentials(
            UUID id, @Nullable ClientId clientId, @Nullable String userName, ClientType type, String passwordHash) {
        this(id, clientId, userName, type, List.of(), passwordHash, null);
    }

    public StoredCredentials {
        if (clientId == null && userName == null) {
            throw new IllegalArgumentException("credentials need a client id, a user name or both");
        }
        groups = groups.stream().distinct().sorted().toList();
    }

    /** Returns a copy with another password. */
    public StoredCredentials withPasswordHash(String hash) {
        return new StoredCredentials(id, clientId, userName, type, groups, hash, null);
    }

    /** Returns whether a client with this user name, or without one, may use them. */
    public boolean fit(@Nullable String clientUserName) {
        return userName == null || userName.equals(clientUserName);
    }

    /**
     * Returns the outcome for a client that has proved these credentials.
     *
     * @param data of an enhanced method for the client, or null
     */
    public Accepted accept(ClientId client, @Nullable BinaryData data) {
        // Credentials without a user name do not prove the client's user name.
        ClientIdentity identity = new ClientIdentity(client, type, userName, clientId != null, version());
        return new Accepted(identity, Set.copyOf(groups), Map.of(), null, data);
    }

    /**
     * Returns the version of these credentials, to compare it with a later one. The password hash is salted, so it differs each time. A renewed
     * hash does not change the version.
     */
    public CredentialsVersion version() {
        long fingerprint = mix(FINGERPRINT_SEED, clientId == null ? null : clientId.value());
        fingerprint = mix(fingerprint, userName);
        fingerprint = mix(fingerprint, type.name());
        for (String group : groups) {
            fingerprint = mix(fingerprint, group);
        }
        return new CredentialsVersion(id, (fingerprint ^ hashFingerprint()) * FINGERPRINT_PRIME);
    }

    /** Returns the fingerprint of the password hash that was stored with these credentials. */
    public long hashFingerprint() {
        return renewedFrom == null ? mix(FINGERPRINT_SEED, passwordHash) : renewedFrom;
    }

    /** FNV-1a over the characters, with a separator that tells null from empty. */
    private static long mix(long fingerprint, @Nullable String text) {
        long mixed = (fingerprint ^ (text == null ? 0x10000 : 0x10001)) * FINGERPRINT_PRIME;
        for (int i = 0; text != null && i < text.length(); i++) {
            mixed = (mixed ^ text.charAt(i)) * FINGERPRINT_PRIME;
        }
        return mixed;
    }

    /** Omits the hash. */
    @Override
    public String toString() {
        return "StoredCredentials[" + id + ", clientId=" + clientId + ", userName=" + userName + ", " + type
                + ", groups=" + groups + "]";
    }
}
