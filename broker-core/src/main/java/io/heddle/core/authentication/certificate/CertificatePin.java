package io.heddle.core.authentication.certificate;

import io.heddle.core.client.ClientCertificate;
import io.heddle.core.mqtt.ControlCharacters;
import java.util.HexFormat;
import java.util.Locale;
import javax.security.auth.x500.X500Principal;
import org.jspecify.annotations.Nullable;

/**
 * Which certificates prove stored credentials that have no password: any one with the user name, those of one authority, or a single one. Stored
 * in place of a password hash, as the text with {@value #PREFIX} before it.
 *
 * @param text for people: {@code any}, {@code issuer:} and its distinguished name (the canonical text of RFC 2253), or {@code sha256:} and 64 lower-case digits
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
     * Reads a text of a person. A fingerprint may have colons and capital letters, and a name any form of RFC 2253, as OpenSSL prints them.
     *
     * @return null if it is no pin, see {@link #fault}
     */
    public static @Nullable CertificatePin parse(String text) {
        if (text.equals(ANY)) {
            return new CertificatePin(text);
        }
        if (text.startsWith(ISSUER)) {
            X500Principal name = name(text.substring(ISSUER.length()));
            return name == null ? null : new CertificatePin(ISSUER + name.getName());
        }
        return text.startsWith(FINGERPRINT) ? ofFingerprint(text.substring(FINGERPRINT.length())) : null;
    }

    /**
     * Returns one sentence that says why credentials cannot have the pin of a text of a person, or null if they can.
     *
     * @param userName of the credentials; null for any
     */
    public static @Nullable String fault(String text, @Nullable String userName) {
        CertificatePin pin = parse(text);
        if (pin != null) {
            return pin.isOfOneCertificate() || userName != null
                    ? null
                    : "The pins any and issuer: do not prove a client id: give the credentials the user name in the"
                            + " certificates, too, or pin one certificate with sha256:.";
        }
        return text.startsWith(ISSUER)
                ? "The text behind issuer: is not a distinguished name: write it as RFC 2253 does, such as"
                        + " issuer:CN=Plants,O=Example."
                : "Use any, issuer: and a distinguished name, or sha256: and the fingerprint in hexadecimal digits.";
    }

    /** Returns a distinguished name, or null for any other text. */
    private static @Nullable X500Principal name(String text) {
        try {
            X500Principal name = text.length() > MAXIMUM_CHARACTERS ? null : new X500Principal(text);
            return name == null || name.getName().isEmpty() || ControlCharacters.in(text + name.getName())
                    ? null
                    : name;
        } catch (IllegalArgumentException malformed) {
            return null;
        }
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
                || text.equals(FINGERPRINT + certificate.fingerprint())
                || (text.startsWith(ISSUER) && isIssuer(certificate.issuer()));
    }

    /** Compares names as RFC 5280 does. Both are read from a text, so that the encoding of a certificate does not count. */
    private boolean isIssuer(String issuer) {
        X500Principal pinned = name(text.substring(ISSUER.length()));
        return pinned != null && pinned.equals(name(issuer));
    }
}
