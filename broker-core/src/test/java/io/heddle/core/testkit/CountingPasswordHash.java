package io.heddle.core.testkit;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts password verifications. */
public final class CountingPasswordHash implements PasswordHash {
    private final PlainPasswordHash plain = new PlainPasswordHash();
    private final AtomicInteger verifications = new AtomicInteger();

    /** Returns the number of calls of {@link #matches}. */
    public int verifications() {
        return verifications.get();
    }

    @Override
    public String hash(BinaryData password) {
        return plain.hash(password);
    }

    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        verifications.incrementAndGet();
        return plain.matches(password, hash, source);
    }
}
