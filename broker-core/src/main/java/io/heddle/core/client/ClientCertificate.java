package io.heddle.core.client;

import java.time.Instant;
import java.util.List;

/**
 * Who a client is according to its certificate, which the handshake of TLS has verified. Immutable. The texts are the client's: they can contain
 * any character, and must be escaped in logs.
 *
 * @param subject the distinguished name as in RFC 2253
 * @param issuer that of the authority
 * @param commonName the most specific common name of the subject, or empty
 * @param dnsNames of the subject alternative names, of which all lists together have at most 32
 * @param uris of the subject alternative names
 * @param emails of the subject alternative names
 * @param fingerprint the SHA-256 of the certificate, in lower-case hexadecimal digits
 * @param expiry the end of its validity
 */
public record ClientCertificate(
        String subject,
        String issuer,
        String commonName,
        List<String> dnsNames,
        List<String> uris,
        List<String> emails,
        String fingerprint,
        Instant expiry) {
    public ClientCertificate {
        dnsNames = List.copyOf(dnsNames);
        uris = List.copyOf(uris);
        emails = List.copyOf(emails);
    }
}
