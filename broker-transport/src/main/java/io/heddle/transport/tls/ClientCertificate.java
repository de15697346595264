package io.heddle.transport.tls;

import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Who a client is according to its certificate, which the handshake has verified. Immutable. The texts are the client's: they can contain any
 * character, and must be escaped in logs.
 *
 * @param subject the distinguished name as in RFC 2253
 * @param commonName the most specific common name of the subject, or empty
 * @param alternativeNames DNS names, addresses, e-mail addresses and URIs, at most {@value #MAXIMUM_NAMES}
 */
public record ClientCertificate(String subject, String commonName, List<String> alternativeNames) {
    private static final AttributeKey<ClientCertificate> ATTRIBUTE =
            AttributeKey.valueOf(ClientCertificate.class, "certificate");
    private static final int MAXIMUM_NAMES = 32;

    public ClientCertificate {
        alternativeNames = List.copyOf(alternativeNames);
    }

    /** Returns the certificate of the client of a connection after its handshake, or null if it has none. Any thread. */
    public static @Nullable ClientCertificate of(Channel channel) {
        return channel.hasAttr(ATTRIBUTE) ? channel.attr(ATTRIBUTE).get() : null;
    }

    /**
     * Notes the certificate of a session, if it has one.
     *
     * @throws CertificateException if the certificate has expired, or is not valid yet: TLS does not check that of a resumed session
     */
    static void remember(Channel channel, SSLSession session) throws CertificateException {
        try {
            Certificate[] chain = session.getPeerCertificates();
            if (chain.length > 0 && chain[0] instanceof X509Certificate certificate) {
                certificate.checkValidity();
                channel.attr(ATTRIBUTE).set(of(certificate));
            }
        } catch (SSLPeerUnverifiedException none) {
            // The client has presented no certificate.
        }
    }

    static ClientCertificate of(X509Certificate certificate) {
        return new ClientCertificate(
                certificate.getSubjectX500Principal().getName(),
                DistinguishedNames.commonName(certificate.getSubjectX500Principal()),
                alternativeNames(certificate));
    }

    private static List<String> alternativeNames(X509Certificate certificate) {
        try {
            List<String> names = new ArrayList<>();
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                for (List<?> name : all) {
                    // Pairs of a type and a value, which is a text for the types that matter here.
                    if (name.size() > 1 && name.get(1) instanceof String text && names.size() < MAXIMUM_NAMES) {
                        names.add(text);
                    }
                }
            }
            return List.copyOf(names);
        } catch (CertificateParsingException malformed) {
            return List.of();
        }
    }
}
