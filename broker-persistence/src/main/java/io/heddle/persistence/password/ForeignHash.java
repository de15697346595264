package io.heddle.persistence.password;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.mqtt.BinaryData;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.bouncycastle.crypto.digests.SHA512Digest;
import org.bouncycastle.crypto.generators.OpenBSDBCrypt;
import org.bouncycastle.crypto.generators.PKCS5S2ParametersGenerator;
import org.bouncycastle.crypto.params.KeyParameter;
import org.jspecify.annotations.Nullable;

/** A password hash that other software has made. Immutable. */
sealed interface ForeignHash {
    /** Returns whether the password has this hash. Takes at most about a second. */
    boolean matches(BinaryData password);

    /** @return null when the text has none of the formats, or its cost exceeds the limits */
    static @Nullable ForeignHash parse(String text) {
        ForeignHash hash = Bcrypt.of(text);
        if (hash == null) {
            hash = Mosquitto.of(text);
        }
        return hash == null ? SaltedDigest.of(text) : hash;
    }

    /** bcrypt, {@code $2b$10$} and 53 characters. Only the first 72 bytes of a password count. */
    record Bcrypt(String text) implements ForeignHash {
        // Costs of 4 to 14: one more doubles the time.
        private static final Pattern FORMAT = Pattern.compile("\\$2[aby]\\$(0[4-9]|1[0-4])\\$[./A-Za-z0-9]{53}");

        private static @Nullable ForeignHash of(String text) {
            return FORMAT.matcher(text).matches() ? new Bcrypt(text) : null;
        }

        @Override
        public boolean matches(BinaryData password) {
            return OpenBSDBCrypt.checkPassword(text, password.array());
        }
    }

    /**
     * A hash in Mosquitto's password file: {@code $7$101$salt$hash} is PBKDF2-HMAC-SHA-512 with 101 iterations, {@code $6$salt$hash} is SHA-512
     * of password and salt. Salt and hash are in base64.
     *
     * @param iterations 0 without PBKDF2
     */
    record Mosquitto(int iterations, BinaryData salt, BinaryData hash) implements ForeignHash {
        private static final int HASH_BITS = 512;
        private static final int MAXIMUM_ITERATIONS = 500_000;
        private static final Pattern FORMAT =
                Pattern.compile("\\$(?:7\\$([1-9][0-9]{0,5})|6)\\$([A-Za-z0-9+/]{4,88}={0,2})\\$([A-Za-z0-9+/]{86}==)");

        private static @Nullable ForeignHash of(String text) {
            Matcher parts = FORMAT.matcher(text);
            if (!parts.matches()) {
                return null;
            }
            int iterations = parts.group(1) == null ? 0 : Integer.parseInt(parts.group(1));
            BinaryData salt = base64(parts.group(2));
            BinaryData hash = base64(parts.group(3));
            return salt == null || hash == null || iterations > MAXIMUM_ITERATIONS
                    ? null
                    : new Mosquitto(iterations, salt, hash);
        }

        private static @Nullable BinaryData base64(String text) {
            try {
                return BinaryData.wrap(Base64.getDecoder().decode(text));
            } catch (IllegalArgumentException malformed) {
                return null;
            }
        }

        @Override
        public boolean matches(BinaryData password) {
            return MessageDigest.isEqual(
                    hash.array(), iterations == 0 ? digest("SHA-512", password, salt) : derive(password));
        }

        private byte[] derive(BinaryData password) {
            PKCS5S2ParametersGenerator generator = new PKCS5S2ParametersGenerator(new SHA512Digest());
            generator.init(password.array(), salt.array(), iterations);
            return ((KeyParameter) generator.generateDerivedMacParameters(HASH_BITS)).getKey();
        }
    }

    /**
     * SHA-256 or SHA-512 of a password and the text of a salt, as in EMQX's built-in database: {@code $sha256$suffix$salt$hash}, where the
     * salt is behind the password, or {@code prefix}. The hash is hexadecimal.
     */
    record SaltedDigest(String algorithm, boolean isPrefix, BinaryData salt, BinaryData hash) implements ForeignHash {
        private static final Pattern FORMAT = Pattern.compile(
                "\\$sha(?:256\\$(prefix|suffix)\\$([^$\\s]{1,128})\\$([0-9a-fA-F]{64})|512\\$(prefix|suffix)\\$([^$\\s]{1,128})\\$([0-9a-fA-F]{128}))");

        private static @Nullable ForeignHash of(String text) {
            Matcher parts = FORMAT.matcher(text);
            if (!parts.matches()) {
                return null;
            }
            boolean isShort = parts.group(1) != null;
            int first = isShort ? 1 : 4;
            return new SaltedDigest(
                    isShort ? "SHA-256" : "SHA-512",
                    parts.group(first).equals("prefix"),
                    BinaryData.wrap(parts.group(first + 1).getBytes(UTF_8)),
                    BinaryData.wrap(HexFormat.of().parseHex(parts.group(first + 2))));
        }

        @Override
        public boolean matches(BinaryData password) {
            byte[] computed = isPrefix ? digest(algorithm, salt, password) : digest(algorithm, password, salt);
            return MessageDigest.isEqual(hash.array(), computed);
        }
    }

    private static byte[] digest(String algorithm, BinaryData first, BinaryData second) {
        try {
            MessageDigest digest = MessageDigest.getInstance(algorithm);
            digest.update(first.array());
            return digest.digest(second.array());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has " + algorithm, impossible);
        }
    }
}
