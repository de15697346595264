package io.heddle.core.administration;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * What a tool sends to prove an API key: {@code heddle_NAME.SECRET}. The beginning lets scanners find tokens that were published by mistake.
 *
 * @param name of the key
 * @param secret 32 random bytes in base64url, which are too many to guess: a fast hash without a salt protects them
 */
public record ApiKeyToken(String name, String secret) {
    private static final int SECRET_BYTES = 32;
    private static final Pattern TEXT = Pattern.compile("heddle_([A-Za-z0-9._-]{1,64})\\.([A-Za-z0-9_-]{43})");

    /** Returns a token with a new secret. */
    public static ApiKeyToken draw(String name, SecureRandom random) {
        byte[] secret = new byte[SECRET_BYTES];
        random.nextBytes(secret);
        return new ApiKeyToken(name, Base64.getUrlEncoder().withoutPadding().encodeToString(secret));
    }

    /** Returns the token with this text, or null if the text is no token. */
    public static @Nullable ApiKeyToken parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches() && ApiKey.isName(matcher.group(1))
                ? new ApiKeyToken(matcher.group(1), matcher.group(2))
                : null;
    }

    /** Returns the text, which is a secret. */
    public String text() {
        return "heddle_" + name + "." + secret;
    }

    /** Returns the SHA-256 hash of the secret's characters, in hexadecimal. */
    public String secretHash() {
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(secret.getBytes(US_ASCII));
            return HexFormat.of().formatHex(hash);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every Java platform has SHA-256", impossible);
        }
    }

    /** Returns whether the token proves the key. The time that this takes tells nothing about the secret. */
    public boolean proves(ApiKey key) {
        return name.equals(key.name())
                && MessageDigest.isEqual(
                        secretHash().getBytes(US_ASCII), key.secretHash().getBytes(US_ASCII));
    }

    /** Omits the secret. */
    @Override
    public String toString() {
        return "ApiKeyToken[" + name + "]";
    }
}
