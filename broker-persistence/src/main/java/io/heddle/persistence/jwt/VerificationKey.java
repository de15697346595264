package io.heddle.persistence.jwt;

import io.heddle.core.client.TokenKey;
import java.nio.ByteBuffer;
import java.security.Key;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.interfaces.ECPublicKey;
import java.security.interfaces.EdECPublicKey;
import java.security.interfaces.RSAPublicKey;
import java.util.Set;
import java.util.TreeSet;
import javax.crypto.SecretKey;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwa.AlgorithmConstraints.ConstraintType;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.keys.EllipticCurves;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * A key that verifies tokens.
 *
 * @param keyId null for a key that verifies tokens with any name of a key
 * @param algorithms with which it verifies, at least one; follow from the type and the size of the key
 * @param tokenKey identifies the key, whatever its name is
 */
record VerificationKey(@Nullable String keyId, Key key, Set<String> algorithms, TokenKey tokenKey) {
    private static final int MINIMUM_RSA_BITS = 2_048;
    private static final int BITS_PER_BYTE = 8;

    /**
     * Returns null for a key of another type, or one that is too short.
     *
     * @param algorithm the only one that the owner of the key allows; null for all that fit the key
     */
    static @Nullable VerificationKey of(@Nullable String keyId, @Nullable String algorithm, Key key) {
        Set<String> fitting = switch (key) {
            case RSAPublicKey rsa
            when rsa.getModulus().bitLength() >= MINIMUM_RSA_BITS ->
                Set.of("RS256", "RS384", "RS512", "PS256", "PS384", "PS512");
            case ECPublicKey curve ->
                ofCurve(EllipticCurves.getName(curve.getParams().getCurve()));
            case EdECPublicKey edwards when edwards.getParams().getName().equals("Ed25519") -> Set.of("EdDSA");
            case SecretKey secret -> ofSecret(secret.getEncoded().length * BITS_PER_BYTE);
            default -> Set.of();
        };
        Set<String> allowed = new TreeSet<>(fitting);
        if (algorithm != null) {
            allowed.retainAll(Set.of(algorithm));
        }
        return allowed.isEmpty() ? null : new VerificationKey(keyId, key, Set.copyOf(allowed), tokenKey(key));
    }

    private static Set<String> ofCurve(@Nullable String name) {
        return switch (name) {
            case "P-256" -> Set.of("ES256");
            case "P-384" -> Set.of("ES384");
            case "P-521" -> Set.of("ES512");
            case null, default -> Set.of();
        };
    }

    /** A secret must be as long as the hash (RFC 7518, section 3.2). */
    private static Set<String> ofSecret(int bits) {
        Set<String> algorithms = new TreeSet<>(Set.of("HS256", "HS384", "HS512"));
        algorithms.removeIf(each -> Integer.parseInt(each.substring(2)) > bits);
        return algorithms;
    }

    boolean fits(Token token) {
        return algorithms.contains(token.algorithm())
                && (keyId == null || token.keyId() == null || keyId.equals(token.keyId()));
    }

    private static TokenKey tokenKey(Key key) {
        try {
            byte[] digest = MessageDigest.getInstance("SHA-256").digest(key.getEncoded());
            return new TokenKey(ByteBuffer.wrap(digest).getLong());
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Returns the payload of a token, or null if this key has not signed it. */
    @Nullable
    String verify(Token token) throws JoseException {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setAlgorithmConstraints(
                new AlgorithmConstraints(ConstraintType.PERMIT, algorithms.toArray(String[]::new)));
        signature.setCompactSerialization(token.compact());
        signature.setKey(key);
        return signature.verifySignature() ? signature.getPayload() : null;
    }

    /** Omits the key, which may be a secret. */
    @Override
    public String toString() {
        return "VerificationKey[" + keyId + ", " + algorithms + "]";
    }
}
