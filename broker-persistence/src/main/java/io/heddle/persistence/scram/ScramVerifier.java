package io.heddle.persistence.scram;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.ongres.saslprep.SASLprep;
import io.heddle.core.mqtt.BinaryData;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The stored form of a password for SCRAM: {@code SCRAM-SHA-256$15000:salt$storedKey:serverKey}, with salt and keys in base64, as in PostgreSQL's
 * {@code pg_authid}. It verifies SCRAM as well as a plain password.
 *
 * @param iterations of PBKDF2, which a SCRAM client computes at each sign-in
 * @param storedKey verifies the proof of a client
 * @param serverKey signs the answer to the client
 */
public record ScramVerifier(
        ScramAlgorithm algorithm, int iterations, BinaryData salt, BinaryData storedKey, BinaryData serverKey) {
    /** RFC 7677 asks for 4,096 at least, and 15,000 where clients can afford it; a microcontroller needs a second for them. */
    static final int ITERATIONS = 15_000;

    static final int SALT_BYTES = 16;
    private static final int MINIMUM_ITERATIONS = 4_096;

    // A planted verifier costs a sign-in with a plain password a second at most.
    private static final int MAXIMUM_ITERATIONS = 1_000_000;
    private static final int MINIMUM_SALT_BYTES = 8;
    private static final Pattern FORMAT =
            Pattern.compile("SCRAM-(SHA-256|SHA-512)\\$([1-9][0-9]{3,6}):([A-Za-z0-9+/]{8,88}={0,2})"
                    + "\\$([A-Za-z0-9+/]{43,86}={1,2}):([A-Za-z0-9+/]{43,86}={1,2})");
    private static final SASLprep SASL_PREP = new SASLprep();

    /** Creates a verifier with a new salt. Takes about 15 ms. */
    public static ScramVerifier create(ScramAlgorithm algorithm, BinaryData password, SecureRandom random) {
        byte[] salt = new byte[SALT_BYTES];
        random.nextBytes(salt);
        return of(algorithm, password, BinaryData.wrap(salt), ITERATIONS);
    }

    static ScramVerifier of(ScramAlgorithm algorithm, BinaryData password, BinaryData salt, int iterations) {
        byte[] salted = algorithm.saltedPassword(prepared(password), salt, iterations);
        byte[] clientKey = algorithm.hmac(salted, "Client Key".getBytes(UTF_8));
        return new ScramVerifier(
                algorithm,
                iterations,
                salt,
                BinaryData.wrap(algorithm.hash(clientKey)),
                BinaryData.wrap(algorithm.hmac(salted, "Server Key".getBytes(UTF_8))));
    }

    /** @return null if the text has another form, or its iterations exceed the limits */
    public static @Nullable ScramVerifier parse(String text) {
        Matcher parts = FORMAT.matcher(text);
        if (!parts.matches()) {
            return null;
        }
        ScramAlgorithm algorithm = parts.group(1).equals("SHA-256") ? ScramAlgorithm.SHA_256 : ScramAlgorithm.SHA_512;
        int iterations = Integer.parseInt(parts.group(2));
        BinaryData salt = base64(parts.group(3));
        BinaryData storedKey = base64(parts.group(4));
        BinaryData serverKey = base64(parts.group(5));
        boolean isUsable = iterations >= MINIMUM_ITERATIONS
                && iterations <= MAXIMUM_ITERATIONS
                && salt.length() >= MINIMUM_SALT_BYTES
                && storedKey.length() == algorithm.bytes()
                && serverKey.length() == algorithm.bytes();
        return isUsable ? new ScramVerifier(algorithm, iterations, salt, storedKey, serverKey) : null;
    }

    /** Returns empty data, which no verifier has, for text that is not base64. */
    static BinaryData base64(String text) {
        try {
            return BinaryData.wrap(Base64.getDecoder().decode(text));
        } catch (IllegalArgumentException malformed) {
            return BinaryData.EMPTY;
        }
    }

    static String base64(BinaryData data) {
        return Base64.getEncoder().encodeToString(data.array());
    }

    public String text() {
        return algorithm.mechanism() + "$" + iterations + ":" + base64(salt) + "$" + base64(storedKey) + ":"
                + base64(serverKey);
    }

    public boolean matches(BinaryData password) {
        return MessageDigest.isEqual(
                of(algorithm, password, salt, iterations).storedKey.array(), storedKey.array());
    }

    /** Returns whether the proof of a client signs the messages of its exchange. */
    boolean isProvenBy(BinaryData proof, byte[] messages) {
        if (proof.length() != algorithm.bytes()) {
            return false;
        }
        byte[] clientKey = algorithm.hmac(storedKey.array(), messages);
        ScramAlgorithm.xor(clientKey, proof.array());
        return MessageDigest.isEqual(algorithm.hash(clientKey), storedKey.array());
    }

    /** Returns the signature by which the client knows that the broker has this verifier. */
    BinaryData signature(byte[] messages) {
        return BinaryData.wrap(algorithm.hmac(serverKey.array(), messages));
    }

    /** Applies SASLprep (RFC 4013). A password that it prohibits, or that is not UTF-8, is used as it is, as in PostgreSQL. */
    private static BinaryData prepared(BinaryData password) {
        try {
            String text =
                    UTF_8.newDecoder().decode(ByteBuffer.wrap(password.array())).toString();
            return BinaryData.wrap(SASL_PREP.prepareStored(text).getBytes(UTF_8));
        } catch (CharacterCodingException | IllegalArgumentException unusual) {
            return password;
        }
    }

    /** Applies SASLprep to a user name; returns it as it is if SASLprep prohibits it. */
    static String prepared(String userName) {
        try {
            return SASL_PREP.prepareQuery(userName);
        } catch (IllegalArgumentException prohibited) {
            return userName;
        }
    }

    /** Omits salt and keys. */
    @Override
    public String toString() {
        return "ScramVerifier[" + algorithm.mechanism() + ", iterations=" + iterations + "]";
    }
}
