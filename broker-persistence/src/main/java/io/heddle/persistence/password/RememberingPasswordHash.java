package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.fairness.SignInBusyException;
import io.heddle.core.authentication.fairness.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.KeyedHash;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * A cache in front of a slow hash: a password that recently matched a stored hash is not computed again for that hash, so that a client
 * that reconnects is cheap. A changed password has another stored hash and therefore no cached match. Thread-safe; blocks like the slow
 * hash.
 *
 * <p>Stores no password: the cache key is the HMAC of hash and password with a key that is drawn per process and never leaves it. Only
 * matches are cached, so a wrong password always takes the full time. Bounded in number and time. Concurrent checks of the same password
 * against the same hash are computed once: the other callers wait for the first and use its match; after a mismatch each computes too.
 */
public final class RememberingPasswordHash implements PasswordHash {
    // dependencies
    private final PasswordHash slow;
    private final boolean isEnabled;
    private final Counter remembered;
    private final Counter computed;

    // lifetime of the process
    private final KeyedHash fingerprints;
    private final Cache<BinaryData, Boolean> matches;
    private final ConcurrentMap<BinaryData, Computation> computations = new ConcurrentHashMap<>();

    /** The computation of the first of several concurrent callers, for which the others wait. */
    private static final class Computation {
        final CountDownLatch done = new CountDownLatch(1);
        volatile boolean mismatch;
    }

    /**
     * @param slow computes the hashes that are not cached
     * @param maximum the maximum number of cached matches; 0 disables the cache
     * @param time the lifetime of a cached match
     * @param random the source of the HMAC key
     * @param nanoTime a monotonic clock in nanoseconds
     */
    public RememberingPasswordHash(
            PasswordHash slow,
            int maximum,
            Duration time,
            SecureRandom random,
            LongSupplier nanoTime,
            MeterRegistry registry) {
        this.slow = slow;
        this.isEnabled = maximum > 0;
        this.fingerprints = new KeyedHash(random);
        this.matches = Caffeine.newBuilder()
                .maximumSize(maximum)
                .expireAfterWrite(time)
                .ticker(nanoTime::getAsLong)
                .executor(Runnable::run)
                .build();
        this.remembered = counter("remembered", registry);
        this.computed = counter("computed", registry);
    }

    private static Counter counter(String result, MeterRegistry registry) {
        return Counter.builder("heddle.authentication.verified")
                .description("Passwords of clients that were checked, by whether that cost a slow hash")
                .tag("result", result)
                .register(registry);
    }

    @Override
    public String hash(BinaryData password) {
        return slow.hash(password);
    }

    @Override
    public String hash(BinaryData password, String form) {
        return slow.hash(password, form);
    }

    @Override
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        if (!isEnabled) {
            return compute(password, hash, source);
        }
        BinaryData fingerprint = fingerprint(password, hash);
        while (!remembers(fingerprint)) {
            if (!source.mayWait()) {
                throw new SignInBusyException("too many clients wait for authentication");
            }
            Computation own = new Computation();
            Computation first = computations.putIfAbsent(fingerprint, own);
            if (first == null) {
                return computeFirst(fingerprint, own, password, hash, source);
            }
            await(first, source);
            if (first.mismatch) {
                return compute(password, hash, source);
            }
        }
        return true;
    }

    @Override
    public @Nullable String renew(BinaryData password, String hash) {
        return slow.renew(password, hash);
    }

    @Override
    public boolean isRemembered(BinaryData password, String hash) {
        return isEnabled && matches.getIfPresent(fingerprint(password, hash)) != null;
    }

    private boolean computeFirst(
            BinaryData fingerprint, Computation own, BinaryData password, String hash, SignInSource source) {
        try {
            // An earlier first caller may have remembered it a moment ago.
            if (remembers(fingerprint)) {
                return true;
            }
            boolean match = compute(password, hash, source);
            if (match) {
                matches.put(fingerprint, true);
            }
            own.mismatch = !match;
            return match;
        } finally {
            computations.remove(fingerprint, own);
            own.done.countDown();
        }
    }

    private static void await(Computation first, SignInSource source) {
        try {
            while (!first.done.await(1, TimeUnit.SECONDS)) {
                if (source.isGone()) {
                    throw new SignInBusyException("the client has gone");
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new SignInBusyException("the broker is stopping");
        }
    }

    private boolean remembers(BinaryData fingerprint) {
        if (matches.getIfPresent(fingerprint) == null) {
            return false;
        }
        remembered.increment();
        return true;
    }

    private boolean compute(BinaryData password, String hash, SignInSource source) {
        computed.increment();
        return slow.matches(password, hash, source);
    }

    private BinaryData fingerprint(BinaryData password, String hash) {
        return fingerprints.of(hash.getBytes(UTF_8), password.array());
    }
}
