package io.heddle.api.security;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Ticker;
import io.heddle.core.mqtt.BinaryData;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.time.Duration;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Recently verified passwords and the stored hashes that they matched, so that a tool that polls every few seconds does not cost a slow
 * hash each time; and passwords that have signed in within {@value #KNOWN_HOURS} hours, for requests that may be answered while the store is
 * away. Stores no password, but the HMAC of name and password under a random key of this process. Contains only successes. Thread-safe;
 * bounded to {@value #MAX_ENTRIES} entries of each kind.
 */
final class VerifiedPasswords {
    static final int MAX_ENTRIES = 1_000;
    static final int KNOWN_HOURS = 24;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKey key;
    private final Cache<BinaryData, String> hashes;
    private final Cache<BinaryData, Boolean> known;

    VerifiedPasswords(SignInSettings settings, SecureRandom random, Ticker clock) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
        this.hashes = Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(settings.remember())
                .ticker(clock)
                .executor(Runnable::run)
                .build();
        this.known = Caffeine.newBuilder()
                .maximumSize(MAX_ENTRIES)
                .expireAfterWrite(Duration.ofHours(KNOWN_HOURS))
                .ticker(clock)
                .executor(Runnable::run)
                .build();
    }

    /** Returns the stored hash that this password matched recently, or null. */
    @Nullable
    String hashVerifiedBy(String userName, BinaryData password) {
        return hashes.getIfPresent(fingerprint(userName, password));
    }

    /** Adds a password that matches the stored hash. */
    void remember(String userName, BinaryData password, String storedHash) {
        hashes.put(fingerprint(userName, password), storedHash);
    }

    /** Returns whether the latest sign-in with this password has succeeded, within {@value #KNOWN_HOURS} hours. */
    boolean isKnown(String userName, BinaryData password) {
        return known.getIfPresent(fingerprint(userName, password)) != null;
    }

    /** Notes the outcome of a sign-in. */
    void onSignIn(String userName, BinaryData password, boolean accepted) {
        if (accepted) {
            known.put(fingerprint(userName, password), true);
        } else {
            known.invalidate(fingerprint(userName, password));
        }
    }

    private BinaryData fingerprint(String userName, BinaryData password) {
        byte[] name = userName.getBytes(UTF_8);
        Mac mac = mac();
        // Includes the length, so that ("ab", "c") differs from ("a", "bc").
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(name.length).flip());
        mac.update(name);
        return BinaryData.wrap(mac.doFinal(password.array()));
    }

    private Mac mac() {
        try {
            Mac mac = Mac.getInstance(ALGORITHM);
            mac.init(key);
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("this Java platform lacks " + ALGORITHM, impossible);
        }
    }
}
