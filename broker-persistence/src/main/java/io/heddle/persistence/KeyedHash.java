package io.heddle.persistence;

import io.heddle.core.mqtt.BinaryData;
import java.nio.ByteBuffer;
import java.security.InvalidKeyException;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * HMAC-SHA256 with a key that is drawn per object and never leaves it. Recognizes passwords that are not stored. Thread-safe.
 */
public final class KeyedHash {
    private static final String ALGORITHM = "HmacSHA256";
    private static final int KEY_BYTES = 32;

    private final SecretKey key;

    /** @param random the source of the key */
    public KeyedHash(SecureRandom random) {
        byte[] bytes = new byte[KEY_BYTES];
        random.nextBytes(bytes);
        this.key = new SecretKeySpec(bytes, ALGORITHM);
    }

    /** Returns the hash of two values. */
    public BinaryData of(byte[] first, byte[] second) {
        Mac mac = mac();
        // The length first: ("ab", "c") is not ("a", "bc").
        mac.update(ByteBuffer.allocate(Integer.BYTES).putInt(first.length).flip());
        mac.update(first);
        return BinaryData.wrap(mac.doFinal(second));
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
