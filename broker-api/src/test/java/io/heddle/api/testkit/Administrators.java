package io.heddle.api.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminUser;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.testkit.InMemoryAdminUsers;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;

/** Administrators in memory, in a store that can be made unavailable or faulty. */
public final class Administrators extends InMemoryAdminUsers {
    private volatile @Nullable RuntimeException failure;
    private volatile CountDownLatch answering = new CountDownLatch(0);

    /** Adds or replaces an administrator. */
    public void put(String userName, String password, AdminRole role, PasswordHash passwordHash) {
        String hash = passwordHash.hash(BinaryData.wrap(password.getBytes(UTF_8)));
        put(new AdminUser(UUID.randomUUID(), userName, hash, role));
    }

    /** Makes the store unavailable. */
    public void goDown() {
        failure = StoreUnavailableException.postgres("PostgreSQL at secret-host", new IllegalStateException("refused"));
    }

    /** Lets requests wait until the store recovers. */
    public void freeze() {
        answering = new CountDownLatch(1);
    }

    /** Makes the store throw an unexpected exception. */
    public void breakWith(RuntimeException bug) {
        failure = bug;
    }

    /** Makes the store work again. */
    public void recover() {
        failure = null;
        answering.countDown();
    }

    @Override
    public @Nullable AdminUser find(String userName) {
        try {
            answering.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        RuntimeException thrown = failure;
        if (thrown != null) {
            throw thrown;
        }
        return super.find(userName);
    }
}
