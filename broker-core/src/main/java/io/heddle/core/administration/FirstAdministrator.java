package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import java.security.SecureRandom;
import java.util.UUID;
import java.util.function.Consumer;

/**
 * Creates the administrator {@value #USER_NAME} with a random password at a cluster's first start. The plain password is passed
 * only to the caller, which shows it to the operator once. Blocks: call on a virtual thread.
 */
public final class FirstAdministrator {
    /** The user name of the first administrator. */
    public static final String USER_NAME = "admin";

    private final AdminUsers users;
    private final PasswordHash passwordHash;
    private final SecureRandom random;

    public FirstAdministrator(AdminUsers users, PasswordHash passwordHash, SecureRandom random) {
        this.users = users;
        this.passwordHash = passwordHash;
        this.random = random;
    }

    /**
     * Creates the first administrator unless the cluster has one. Of several nodes that start concurrently, one creates it.
     *
     * @param announcement receives the password, which is not stored anywhere, before the administrator is stored; if it throws,
     *     no administrator is created and the exception is propagated
     * @return whether this call created the administrator
     * @throws io.heddle.core.StoreUnavailableException if the store does not answer; an announced password is then void
     */
    public boolean createIfNone(Consumer<String> announcement) {
        if (users.find(USER_NAME) != null) {
            // Every start but the first: avoids computing an expensive hash.
            return false;
        }
        String password = GeneratedPassword.draw(random);
        String hash = passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
        AdminUser first = new AdminUser(UUID.randomUUID(), USER_NAME, hash, AdminRole.ADMIN);
        return users.createIfNone(first, () -> announcement.accept(password));
    }
}
