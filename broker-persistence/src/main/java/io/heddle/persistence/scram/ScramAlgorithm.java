package io.heddle.persistence.scram;

import io.heddle.core.mqtt.BinaryData;
import java.security.InvalidKeyException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import javax.crypto.Mac;
import javax.crypto.ShortBufferException;
import javax.crypto.spec.SecretKeySpec;
import org.jspecify.annotations.Nullable;

/** The hash function of SCRAM, and the functions that RFC 5802 builds on it. */
public enum ScramAlgorithm {
    SHA_256("SHA-256", "HmacSHA256", 32),
    SHA_512("SHA-512", "HmacSHA512", 64);

    private final String hash;
    private final String hmac;
    private final int bytes;

    ScramAlgorithm(String hash, String hmac, int bytes) {
        this.hash = hash;
        this.hmac = hmac;
        this.bytes = bytes;
    }

    /** Returns the algorithm with this name of its hash, SHA-256 or SHA-512 in upper or lower case; null if there is none. */
    public static @Nullable ScramAlgorithm of(String hash) {
        for (ScramAlgorithm each : values()) {
            if (each.hash.equalsIgnoreCase(hash)) {
                return each;
            }
        }
        return null;
    }

    /** Returns the algorithm of a mechanism or of a stored verifier; null for other text. */
    public static @Nullable ScramAlgorithm ofForm(String form) {
        for (ScramAlgorithm each : values()) {
            if (form.equals(each.mechanism()) || form.startsWith(each.mechanism() + "$")) {
                return each;
            }
        }
        return null;
    }

    /** The name of the mechanism, and of the Authentication Method. */
    public String mechanism() {
        return "SCRAM-" + hash;
    }

    int bytes() {
        return bytes;
    }

    /** H(data). */
    byte[] hash(byte[] data) {
        try {
            return MessageDigest.getInstance(hash).digest(data);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has " + hash, impossible);
        }
    }

    /** HMAC(key, data). */
    byte[] hmac(byte[] key, byte[] data) {
        return mac(key).doFinal(data);
    }

    private Mac mac(byte[] key) {
        try {
            Mac mac = Mac.getInstance(hmac);
            // HMAC pads a key with zeros, and Java refuses an empty one.
            mac.init(new SecretKeySpec(key.length == 0 ? new byte[1] : key, hmac));
            return mac;
        } catch (NoSuchAlgorithmException | InvalidKeyException impossible) {
            throw new IllegalStateException("every Java platform has " + hmac, impossible);
        }
    }

    /** Hi(password, salt, iterations), which is PBKDF2 with one block. Takes about 1 µs for each iteration. */
    byte[] saltedPassword(BinaryData password, BinaryData salt, int iterations) {
        Mac mac = mac(password.array());
        mac.update(salt.array());
        byte[] block = mac.doFinal(new byte[] {0, 0, 0, 1});
        byte[] result = block.clone();
        try {
            for (int i = 1; i < iterations; i++) {
                mac.update(block);
                mac.doFinal(block, 0);
                xor(result, block);
            }
        } catch (ShortBufferException impossible) {
            throw new IllegalStateException("a block has the length of " + hmac, impossible);
        }
        return result;
    }

    /** Changes {@code target}. */
    static void xor(byte[] target, byte[] other) {
        for (int i = 0; i < target.length; i++) {
            target[i] = (byte) (target[i] ^ other[i]);
        }
    }
}
