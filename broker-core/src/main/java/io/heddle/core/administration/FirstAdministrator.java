package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Lets somebody in at a cluster's first start: creates the administrator {@value #USER_NAME} with a random password. The
 * password exists in clear only for whoever asked, who shows it to the operator once. Blocks: for a virtual thread.
 */
public final class FirstAdministrator {
    /** What the first administrator signs in with. */
    public static final String USER_NAME = "admin";

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
     * @param announcement is told the password, known to nobody else and kept nowhere, before the administrator is kept: when it
     *     throws, the cluster has none, as before, and the exception goes to the caller
     * @return whether this call has created one
     * @throws io.heddle.core.StoreUnavailableException when the store does not answer; what was announced is void then
     */
    public boolean createIfNone(Consumer<String> announcement) {
        if (users.find(USER_NAME) != null) {
            // Every start but the first: no need to compute a hash that is dear on purpose.
            return false;
        }
        String password = GeneratedPassword.draw(random);
        String hash = passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
        AdminUser first = new AdminUser(UUID.randomUUID(), USER_NAME, hash, AdminRole.ADMIN);
        return users.createIfNone(first, () -> announcement.accept(password));
    }
}
