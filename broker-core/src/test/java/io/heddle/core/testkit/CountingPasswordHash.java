package io.heddle.core.testkit;

import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;

/** Counts password verifications, and remembers matches. */
public final class CountingPasswordHash implements PasswordHash {
    private final PlainPasswordHash plain = new PlainPasswordHash();
    private final AtomicInteger verifications = new AtomicInteger();
    private final Set<String> matched = ConcurrentHashMap.newKeySet();

    /** Returns the number of calls of {@link #matches}. */
    public int verifications() {
        return verifications.get();
    }

    /** Forgets all matches. */
    public void forget() {
        matched.clear();
    }

    @Override
    public String hash(BinaryData password) {
        return plain.hash(password);
    }

    @Override
    public String hash(BinaryData password, String form) {
        return plain.hash(password, form);
    }

    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        verifications.incrementAndGet();
        boolean matches = plain.matches(password, hash, source);
        if (matches) {
            // The hash contains the password.
            matched.add(hash);
        }
        return matches;
    }

    @Override
    public boolean isRemembered(BinaryData password, String hash) {
        return matched.contains(hash) && plain.matches(password, hash, new SignInSource("", ""));
    }
}
