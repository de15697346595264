package io.heddle.persistence.jwt;

import io.heddle.core.client.TokenKey;
import java.nio.charset.StandardCharsets;
import java.security.Key;
import java.security.KeyFactory;
import java.security.NoSuchAlgorithmException;
import java.security.spec.InvalidKeySpecException;
import java.security.spec.X509EncodedKeySpec;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import javax.crypto.SecretKey;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * A few keys. Immutable.
 *
 * @param tokenKeys identify the keys, whatever their names are
 */
public record KeySet(List<VerificationKey> keys, Set<TokenKey> tokenKeys) {
    static final int MAXIMUM_KEYS = 100;

    /** Tokens without the name of a key are verified with at most this many. */
    private static final int MAXIMUM_TRIED = 4;

    private static final String BEGIN = "-----BEGIN";
    private static final String BEGIN_PUBLIC_KEY = "-----BEGIN PUBLIC KEY-----";
    private static final String END_PUBLIC_KEY = "-----END PUBLIC KEY-----";
    private static final int MINIMUM_SECRET_BYTES = 32;

    KeySet(List<VerificationKey> keys) {
        this(List.copyOf(keys), keys.stream().map(VerificationKey::tokenKey).collect(Collectors.toUnmodifiableSet()));
    }

    /**
     * Reads a PEM file with a public key, or a JWK Set (RFC 7517).
     *
     * @throws IllegalArgumentException with a clause that says what is wrong and what to do
     */
    public static KeySet ofFile(String text) {
        return text.contains(BEGIN) ? ofPem(text) : ofJwkSet(text, true);
    }

    private static KeySet ofPem(String text) {
        int begin = text.indexOf(BEGIN_PUBLIC_KEY);
        int end = text.indexOf(END_PUBLIC_KEY);
        if (begin < 0 || end < begin || text.lastIndexOf(BEGIN) != begin) {
            throw new IllegalArgumentException("is not the PEM file of one public key: write one that begins with "
                    + BEGIN_PUBLIC_KEY + ", or a JWK Set");
        }
        byte[] encoded = Base64.getMimeDecoder().decode(text.substring(begin + BEGIN_PUBLIC_KEY.length(), end));
        List<VerificationKey> found = Stream.of("RSA", "EC", "Ed25519")
                .map(type -> publicKey(type, encoded))
                .filter(Objects::nonNull)
                .map(key -> VerificationKey.of(null, null, key))
                .filter(Objects::nonNull)
                .toList();
        if (found.isEmpty()) {
            throw new IllegalArgumentException(
                    "has no usable public key: use an RSA key of at least 2048 bits, an EC key"
                            + " (P-256, P-384, P-521) or an Ed25519 key");
        }
        return new KeySet(found);
    }

    private static @Nullable Key publicKey(String type, byte[] encoded) {
        try {
            return KeyFactory.getInstance(type).generatePublic(new X509EncodedKeySpec(encoded));
        } catch (InvalidKeySpecException otherType) {
            return null;
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /**
     * Reads a JWK Set. Keys that cannot verify tokens are left out.
     *
     * @param withSecrets whether HMAC keys may be in it; not if anybody can read it
     * @throws IllegalArgumentException with a clause that says what is wrong
     */
    static KeySet ofJwkSet(String text, boolean withSecrets) {
        List<JsonWebKey> found;
        try {
            found = new JsonWebKeySet(text).getJsonWebKeys();
        } catch (JoseException | ClassCastException wrong) {
            // The library casts what the JSON has in place of keys.
            throw new IllegalArgumentException("is not a JWK Set", wrong);
        }
        if (found.size() > MAXIMUM_KEYS) {
            throw new IllegalArgumentException("is a JWK Set with more than " + MAXIMUM_KEYS + " keys");
        }
        List<VerificationKey> usable = new ArrayList<>();
        for (JsonWebKey each : found) {
            VerificationKey key = isForSignatures(each) && (withSecrets || !(each.getKey() instanceof SecretKey))
                    ? VerificationKey.of(each.getKeyId(), each.getAlgorithm(), each.getKey())
                    : null;
            if (key != null) {
                usable.add(key);
            }
        }
        if (usable.isEmpty()) {
            throw new IllegalArgumentException("is a JWK Set without a key that can verify tokens");
        }
        return new KeySet(usable);
    }

    private static boolean isForSignatures(JsonWebKey key) {
        @Nullable List<String> operations = key.getKeyOps();
        return (key.getUse() == null || key.getUse().equals("sig"))
                && (operations == null || operations.contains("verify"));
    }

    /**
     * Takes the bytes of a file as the secret of HMAC. A line break at its end does not count.
     *
     * @throws IllegalArgumentException with a clause that says what is wrong and what to do
     */
    public static KeySet ofSecret(byte[] file) {
        if (new String(file, StandardCharsets.ISO_8859_1).contains(BEGIN)) {
            throw new IllegalArgumentException(
                    "names a PEM file, which is no secret: use heddle.authentication.jwt.key" + " for a public key");
        }
        int length = file.length;
        while (length > 0 && (file[length - 1] == '\n' || file[length - 1] == '\r')) {
            length--;
        }
        VerificationKey key = VerificationKey.of(null, null, new HmacKey(Arrays.copyOf(file, length)));
        if (key == null) {
            throw new IllegalArgumentException("names a file with " + length + " bytes: use a secret of at least "
                    + MINIMUM_SECRET_BYTES + " bytes, 64 for HS512");
        }
        return new KeySet(List.of(key));
    }

    List<VerificationKey> find(Token token) {
        List<VerificationKey> found =
                keys.stream().filter(each -> each.fits(token)).toList();
        return found.size() > MAXIMUM_TRIED ? List.of() : found;
    }
}
