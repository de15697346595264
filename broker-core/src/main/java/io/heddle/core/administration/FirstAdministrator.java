package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import java.security.SecureRandom;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * Lets somebody in at a cluster's first start: creates the administrator {@value #USER_NAME} with a random password. The
 * password exists in clear only in the answer; whoever asked shows it to the operator once. Blocks: for a virtual thread.
 */
public final class FirstAdministrator {
    /** What the first administrator signs in with. */
    public static final String USER_NAME = "admin";

    // Without 0 O o, 1 I l: nobody has to guess what a terminal's font meant. 22 of 56 characters are 127 bits.
    private static final String ALPHABET = "23456789ABCDEFGHJKLMNPQRSTUVWXYZabcdefghijkmnpqrstuvwxyz";
    private static final int PASSWORD_LENGTH = 22;

    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final SecureRandom random;

    /** Neither reads nor writes anything yet. */
    public FirstAdministrator(AdminUsers users, PasswordHash passwordHash, SecureRandom random) {
        this.users = users;
        this.passwordHash = passwordHash;
        this.random = random;
    }

    /**
     * Creates the first administrator unless the cluster has one. Of several nodes that start together one gets the password.
     *
     * @return the password, known to nobody else and kept nowhere; null when there is an administrator already
     * @throws io.heddle.core.StoreUnavailableException when the store does not answer
     */
    public @Nullable String createIfNone() {
        if (users.find(USER_NAME) != null) {
            // Every start but the first: no need to compute a hash that is dear on purpose.
            return null;
        }
        String password = password();
        String hash = passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
        AdminUser first = new AdminUser(UUID.randomUUID(), USER_NAME, hash, AdminRole.ADMIN);
        return users.createIfNone(first) ? password : null;
    }

    private String password() {
        StringBuilder password = new StringBuilder(PASSWORD_LENGTH);
        for (int i = 0; i < PASSWORD_LENGTH; i++) {
            password.append(ALPHABET.charAt(random.nextInt(ALPHABET.length())));
        }
        return password.toString();
    }
}
