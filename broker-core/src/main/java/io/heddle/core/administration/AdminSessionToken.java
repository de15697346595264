package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The token by which a browser proves a session.
 *
 * @param text 32 random bytes in base64url, which are too many to guess: a fast hash without a salt protects them
 */
public record AdminSessionToken(String text) {
    private static final int BYTES = 32;
    private static final Pattern TEXT = Pattern.compile("[A-Za-z0-9_-]{43}");

    public static AdminSessionToken draw(SecureRandom random) {
        byte[] secret = new byte[BYTES];
        random.nextBytes(secret);
        return new AdminSessionToken(Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Returns the token with this text, or null if the text is no token. */
    public static @Nullable AdminSessionToken parse(String text) {
        return TEXT.matcher(text).matches() ? new AdminSessionToken(text) : null;
    }

    /** Returns the SHA-256 hash of the characters, in hexadecimal. */
    public String hash() {
        return sha256(text.getBytes(US_ASCII));
    }

    static String sha256(byte[] bytes) {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(bytes));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "AdminSessionToken[]";
    }
}
