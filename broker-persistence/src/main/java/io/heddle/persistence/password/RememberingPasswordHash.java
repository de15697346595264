package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.SignInBusyException;
import io.heddle.core.authentication.SignInSource;
import io.heddle.core.mqtt.BinaryData;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Spares the slow hash for a password that was found to match the same stored hash a while ago: a client that reconnects does
 * not cost it again. Who has another stored hash, because the password was changed, is not remembered any more. Thread-safe;
 * blocks like the slow hash.
 *
 * <p>Keeps no password: a match is the HMAC of hash and password under a key that is drawn per process and never leaves it. Only
 * matches are kept, so that a wrong password takes the full time each time, also where the right one is remembered. Bounded in
 * number and time. Of the callers that check the same password against the same hash at once, the first computes; when it matches, for
 * all of them, otherwise each of the others computes as well.
 */
public final class RememberingPasswordHash implements PasswordHash {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    // dependencies
    private final PasswordHash slow;
    private final boolean remembers;
    private final Counter remembered;
    private final Counter computed;

    // the process's life
    private final SecretKey key;
    private final Cache<BinaryData, Boolean> matches;
    private final ConcurrentMap<BinaryData, Turn> turns = new ConcurrentHashMap<>();

    /** The computation of the first caller that checks one password against one hash; the others wait for its end. */
    private static final class Turn {
        final CountDownLatch over = new CountDownLatch(1);
        volatile boolean mismatch;
    }

    /**
     * Remembers what another hash finds.
     *
     * @param maximum how many matches are remembered; 0 means none
     * @param time how long each of them is
     * @param random where the key comes from
     * @param nanoClock System.nanoTime or a test's
     */
    public RememberingPasswordHash(
            PasswordHash slow,
            int maximum,
            Duration time,
            SecureRandom random,
            LongSupplier nanoClock,
            MeterRegistry registry) {
        this.slow = slow;
        this.remembers = maximum > 0;
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
        this.matches = Caffeine.newBuilder()
                .maximumSize(maximum)
                .expireAfterWrite(time)
                .ticker(nanoClock::getAsLong)
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
    public boolean matches(BinaryData password, String hash, SignInSource source) {
        if (!remembers) {
            return compute(password, hash, source);
        }
        BinaryData fingerprint = fingerprint(password, hash);
        while (!isRemembered(fingerprint)) {
            if (!source.mayWait()) {
                throw new SignInBusyException("too many clients wait for authentication");
            }
            Turn own = new Turn();
            Turn first = turns.putIfAbsent(fingerprint, own);
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

    private boolean computeFirst(
            BinaryData fingerprint, Turn own, BinaryData password, String hash, SignInSource source) {
        try {
            // An earlier first caller may have remembered it a moment ago.
            if (isRemembered(fingerprint)) {
                return true;
            }
            boolean match = compute(password, hash, source);
            if (match) {
                matches.put(fingerprint, true);
            }
            own.mismatch = !match;
            return match;
        } finally {
            turns.remove(fingerprint, own);
            own.over.countDown();
        }
    }

    private static void await(Turn first, SignInSource source) {
        try {
            while (!first.over.await(1, TimeUnit.SECONDS)) {
                if (source.isGone()) {
                    throw new SignInBusyException("the client has gone");
                }
            }
        } catch (InterruptedException stopping) {
            Thread.currentThread().interrupt();
            throw new SignInBusyException("the broker is stopping");
        }
    }

    private boolean isRemembered(BinaryData fingerprint) {
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
        byte[] text = hash.getBytes(UTF_8);
        Mac mac = mac();
        // The length first: ("ab", "c") is not ("a", "bc").
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(text.length).flip());
        mac.update(text);
        return BinaryData.wrap(mac.doFinal(password.array()));
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }
}
