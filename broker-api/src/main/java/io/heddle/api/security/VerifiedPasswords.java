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
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/**
 * Which passwords were verified a moment ago, and against which stored hash, so that a tool that asks every few seconds does
 * not cost a slow hash each time. Keeps no password: a name and password are remembered as their HMAC under a key that is
 * random per process and never leaves it. Only successes are kept. Thread-safe; bounded to {@value #MAX_ENTRIES} entries.
 */
final class VerifiedPasswords {
    static final int MAX_ENTRIES = 1_000;

    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKey key;
    private final Cache<BinaryData, String> hashes;

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
    }

    /** The stored hash that this password was verified against lately; null when it was not. */
    @Nullable
    String hashVerifiedBy(String userName, BinaryData password) {
        return hashes.getIfPresent(fingerprint(userName, password));
    }

    /** Remembers that this password is the one behind that hash. */
    void remember(String userName, BinaryData password, String storedHash) {
        hashes.put(fingerprint(userName, password), storedHash);
    }

    private BinaryData fingerprint(String userName, BinaryData password) {
        byte[] name = userName.getBytes(UTF_8);
        Mac mac = mac();
        // The length first: ("ab", "c") is not ("a", "bc").
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
            throw new IllegalStateException("every Java platform has " + ALGORITHM, impossible);
        }
    }
}
