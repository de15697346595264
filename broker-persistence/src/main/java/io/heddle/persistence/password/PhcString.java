package io.heddle.persistence.password;

import io.heddle.core.mqtt.BinaryData;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * An Argon2id hash as text: {@code $argon2id$v=19$m=19456,t=2,p=1$salt$hash}, salt and hash in base64 without padding.
 *
 * @param memory in KiB
 * @param iterations passes over the memory
 * @param parallelism lanes
 */
record PhcString(int memory, int iterations, int parallelism, BinaryData salt, BinaryData hash) {
    // Limits of stored hashes: generous compared to our own parameters, but a planted hash cannot exhaust the node.
    private static final int MAX_MEMORY = 65_536;
    private static final int MAX_ITERATIONS = 10;
    private static final int MAX_PARALLELISM = 4;

    // Salts of 8 to 48 and hashes of 16 to 64 bytes; the number of digits is limited so that the values fit an int.
    private static final Pattern FORMAT =
            Pattern.compile("\\$argon2id\\$v=19\\$m=([1-9][0-9]{0,7}),t=([1-9][0-9]{0,3}),"
                    + "p=([1-9][0-9]{0,2})\\$([A-Za-z0-9+/]{11,64})\\$([A-Za-z0-9+/]{22,86})");

    private static final Base64.Encoder ENCODER = Base64.getEncoder().withoutPadding();

    /**
     * Reads a stored hash.
     *
     * @return null when the text is malformed or its parameters exceed the limits
     */
    static @Nullable PhcString parse(String text) {
        Matcher matcher = FORMAT.matcher(text);
        if (!matcher.matches()) {
            return null;
        }
        int memory = Integer.parseInt(matcher.group(1));
        int iterations = Integer.parseInt(matcher.group(2));
        int parallelism = Integer.parseInt(matcher.group(3));
        boolean withinBounds = memory <= MAX_MEMORY
                && iterations <= MAX_ITERATIONS
                && parallelism <= MAX_PARALLELISM
                && memory >= 8 * parallelism;
        BinaryData salt = decode(matcher.group(4));
        BinaryData hash = decode(matcher.group(5));
        return withinBounds && salt != null && hash != null
                ? new PhcString(memory, iterations, parallelism, salt, hash)
                : null;
    }

    private static @Nullable BinaryData decode(String base64) {
        // A single character after the groups of four holds six bits, less than a byte.
        return base64.length() % 4 == 1
                ? null
                : BinaryData.wrap(Base64.getDecoder().decode(base64));
    }

    /** Returns a copy with another hash. */
    PhcString withHash(BinaryData other) {
        return new PhcString(memory, iterations, parallelism, salt, other);
    }

    String text() {
        return "$argon2id$v=19$m=" + memory + ",t=" + iterations + ",p=" + parallelism + "$"
                + ENCODER.encodeToString(salt.array()) + "$" + ENCODER.encodeToString(hash.array());
    }

    /** Omits salt and hash. */
    @Override
    public String toString() {
        return "PhcString[m=" + memory + ", t=" + iterations + ", p=" + parallelism + "]";
    }
}
