package io.heddle.transport.tls;

import io.heddle.core.client.ClientCertificate;
import io.netty.channel.Channel;
import io.netty.util.AttributeKey;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.cert.Certificate;
import java.security.cert.CertificateException;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HexFormat;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/** The certificate of the client of a connection, which the handshake has verified. */
public final class PeerCertificate {
    private static final AttributeKey<ClientCertificate> ATTRIBUTE =
            AttributeKey.valueOf(PeerCertificate.class, "certificate");
    private static final int MAXIMUM_NAMES = 32;
    // Types of alternative names in RFC 5280.
    private static final int EMAIL = 1;
    private static final int DNS = 2;
    private static final int URI = 6;

    private PeerCertificate() {}

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

    static ClientCertificate of(X509Certificate certificate) throws CertificateException {
        return new ClientCertificate(
                certificate.getSubjectX500Principal().getName(),
                certificate.getIssuerX500Principal().getName(),
                DistinguishedNames.commonName(certificate.getSubjectX500Principal()),
                alternativeNames(certificate, DNS),
                alternativeNames(certificate, URI),
                alternativeNames(certificate, EMAIL),
                fingerprint(certificate),
                certificate.getNotAfter().toInstant());
    }

    private static String fingerprint(X509Certificate certificate) throws CertificateException {
        try {
            return HexFormat.of().formatHex(MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded()));
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException("every JDK has SHA-256", impossible);
        }
    }

    private static List<String> alternativeNames(X509Certificate certificate, int type) {
        try {
            List<String> names = new ArrayList<>();
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all != null) {
                for (List<?> name : all.stream().limit(MAXIMUM_NAMES).toList()) {
                    // Pairs of a type and a value, which is a text for the types that matter here.
                    if (name.size() > 1 && name.getFirst().equals(type) && name.get(1) instanceof String text) {
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
