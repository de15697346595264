package io.heddle.core.authentication.certificate;

import io.heddle.core.client.ClientCertificate;
import java.util.HexFormat;
import java.util.Locale;
import org.jspecify.annotations.Nullable;

/**
 * Which certificates prove stored credentials that have no password: any one with the user name, those of one authority, or a single one. Stored
 * in place of a password hash, as the text with {@value #PREFIX} before it.
 *
 * @param text for people: {@code any}, {@code issuer:} and its distinguished name (RFC 2253), or {@code sha256:} and 64 lower-case digits
 */
public record CertificatePin(String text) {
    /** The beginning of each text of {@link #stored}. */
    public static final String PREFIX = "$certificate$";

    private static final String ANY = "any";
    private static final String ISSUER = "issuer:";
    private static final String FINGERPRINT = "sha256:";
    private static final int FINGERPRINT_BYTES = 32;
    private static final int MAXIMUM_CHARACTERS = 2_000;

    /** Returns the pin of stored credentials, or null if they have a password. */
    public static @Nullable CertificatePin ofStored(String hash) {
        return hash.startsWith(PREFIX) ? parse(hash.substring(PREFIX.length())) : null;
    }

    /**
     * Reads a text of a person. A fingerprint may have colons and capital letters, as OpenSSL prints it.
     *
     * @return null if it is no pin
     */
    public static @Nullable CertificatePin parse(String text) {
        if (text.equals(ANY)) {
            return new CertificatePin(text);
        }
        if (text.startsWith(ISSUER)) {
            boolean isName = text.length() > ISSUER.length()
                    && text.length() <= MAXIMUM_CHARACTERS
                    && text.codePoints().noneMatch(Character::isISOControl);
            return isName ? new CertificatePin(text) : null;
        }
        return text.startsWith(FINGERPRINT) ? ofFingerprint(text.substring(FINGERPRINT.length())) : null;
    }

    private static @Nullable CertificatePin ofFingerprint(String digits) {
        try {
            byte[] fingerprint = HexFormat.of().parseHex(digits.replace(":", "").toLowerCase(Locale.ROOT));
            return fingerprint.length == FINGERPRINT_BYTES
                    ? new CertificatePin(FINGERPRINT + HexFormat.of().formatHex(fingerprint))
                    : null;
        } catch (IllegalArgumentException notHexadecimal) {
            return null;
        }
    }

    /** Returns the text that credentials have in place of a password hash. */
    public String stored() {
        return PREFIX + text;
    }

    boolean isOfOneCertificate() {
        return text.startsWith(FINGERPRINT);
    }

    boolean accepts(ClientCertificate certificate) {
        return text.equals(ANY)
                || text.equals(ISSUER + certificate.issuer())
                || text.equals(FINGERPRINT + certificate.fingerprint());
    }
}
