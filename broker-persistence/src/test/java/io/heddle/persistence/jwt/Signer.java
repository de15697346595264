package io.heddle.persistence.jwt;

import io.heddle.core.client.TokenKey;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.spec.ECGenParameterSpec;
import java.util.Base64;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jose4j.jwa.AlgorithmConstraints;
import org.jose4j.jwk.JsonWebKey;
import org.jose4j.jwk.JsonWebKey.OutputControlLevel;
import org.jose4j.jwk.JsonWebKeySet;
import org.jose4j.jws.JsonWebSignature;
import org.jose4j.jwt.JwtClaims;
import org.jose4j.keys.HmacKey;
import org.jose4j.lang.JoseException;
import org.jspecify.annotations.Nullable;

/**
 * The owner of a key, who signs tokens.
 *
 * @param verifying the public key, or the secret itself
 */
record Signer(String algorithm, Key signing, Key verifying) {
    /** Shared, because their creation takes seconds. */
    private static final KeyPair RSA = rsa(2_048);

    private static final KeyPair OTHER_RSA = rsa(2_048);

    static KeyPair rsa(int bits) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
            generator.initialize(bits);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    static Signer ofRsa(String algorithm, KeyPair pair) {
        return new Signer(algorithm, pair.getPrivate(), pair.getPublic());
    }

    /** Another owner of such a key. */
    Signer other() {
        return signing.getAlgorithm().equals("RSA") ? ofRsa(algorithm, OTHER_RSA) : of(algorithm);
    }

    static Signer of(String algorithm) {
        try {
            return switch (algorithm.substring(0, 2)) {
                case "HS" -> secret(algorithm);
                case "RS", "PS" -> ofRsa(algorithm, RSA);
                case "ES" -> curve(algorithm);
                default -> pair(algorithm, KeyPairGenerator.getInstance("Ed25519"));
            };
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    private static Signer secret(String algorithm) {
        byte[] bytes = new byte[Integer.parseInt(algorithm.substring(2)) / 8];
        new SecureRandom().nextBytes(bytes);
        return new Signer(algorithm, new HmacKey(bytes), new HmacKey(bytes));
    }

    private static Signer curve(String algorithm) throws GeneralSecurityException {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
        generator.initialize(
                new ECGenParameterSpec("secp" + algorithm.substring(2).replace("512", "521") + "r1"));
        return pair(algorithm, generator);
    }

    private static Signer pair(String algorithm, KeyPairGenerator generator) {
        KeyPair pair = generator.generateKeyPair();
        return new Signer(algorithm, pair.getPrivate(), pair.getPublic());
    }

    /** The same key with another algorithm. */
    Signer with(String otherAlgorithm) {
        return new Signer(otherAlgorithm, signing, verifying);
    }

    KeySet keys() {
        return new KeySet(List.of(Objects.requireNonNull(VerificationKey.of(null, null, verifying), "no usable key")));
    }

    TokenKey tokenKey() {
        return keys().keys().getFirst().tokenKey();
    }

    String token(Map<String, Object> claims) {
        return token(null, claims);
    }

    String token(@Nullable String keyId, Map<String, Object> claims) {
        JwtClaims all = new JwtClaims();
        new HashMap<>(claims).forEach(all::setClaim);
        return sign(keyId, all.toJson());
    }

    String sign(@Nullable String keyId, String payload) {
        JsonWebSignature signature = new JsonWebSignature();
        signature.setAlgorithmConstraints(AlgorithmConstraints.NO_CONSTRAINTS);
        signature.setAlgorithmHeaderValue(algorithm);
        signature.setDoKeyValidation(false);
        if (keyId != null) {
            signature.setKeyIdHeaderValue(keyId);
        }
        signature.setPayload(payload);
        signature.setKey(signing);
        try {
            return signature.getCompactSerialization();
        } catch (JoseException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    String pem() {
        return "-----BEGIN PUBLIC KEY-----\n" + Base64.getMimeEncoder().encodeToString(verifying.getEncoded())
                + "\n-----END PUBLIC KEY-----\n";
    }

    /** A JWK Set with this key. */
    String jwkSet(String keyId) {
        return new JsonWebKeySet(jwk(keyId)).toJson(OutputControlLevel.INCLUDE_SYMMETRIC);
    }

    JsonWebKey jwk(String keyId) {
        try {
            JsonWebKey key =
                    JsonWebKey.Factory.newJwk(verifying instanceof PublicKey publicKey ? publicKey : verifying);
            key.setKeyId(keyId);
            return key;
        } catch (JoseException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
