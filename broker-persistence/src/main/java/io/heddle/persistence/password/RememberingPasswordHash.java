package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import io.heddle.core.authentication.PasswordHash;
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
import java.util.concurrent.locks.ReentrantLock;
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
 * number and time. Callers that check the same password against the same hash take turns, and when it matches, the first
 * computes for all of them.
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

    /** The callers that check one password against one hash; there while there are any. */
    private static final class Turn {
        final ReentrantLock lock = new ReentrantLock();
        /** Changed only where the map holds the entry. */
        int callers;
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
    public boolean matches(BinaryData password, String hash) {
        if (!remembers) {
            return compute(password, hash);
        }
        BinaryData fingerprint = fingerprint(password, hash);
        if (isRemembered(fingerprint)) {
            return true;
        }
        Turn turn = turns.compute(fingerprint, (_, there) -> entered(there == null ? new Turn() : there));
        turn.lock.lock();
        try {
            // Whoever had the turn before may have computed it.
            if (isRemembered(fingerprint)) {
                return true;
            }
            boolean match = compute(password, hash);
            if (match) {
                matches.put(fingerprint, true);
            }
            return match;
        } finally {
            turn.lock.unlock();
            turns.computeIfPresent(fingerprint, (_, there) -> --there.callers == 0 ? null : there);
        }
    }

    private static Turn entered(Turn turn) {
        turn.callers++;
        return turn;
    }

    private boolean isRemembered(BinaryData fingerprint) {
        if (matches.getIfPresent(fingerprint) == null) {
            return false;
        }
        remembered.increment();
        return true;
    }

    private boolean compute(BinaryData password, String hash) {
        computed.increment();
        return slow.matches(password, hash);
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
