package io.heddle.transport.link;

import io.heddle.core.lifecycle.StartupException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.MessageDigest;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.HexFormat;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/**
 * The key of one run of a node and its self-signed certificate, in memory only. Immutable. The certificate proves nothing by itself: the
 * other nodes accept exactly the one whose fingerprint is in the log of nodes, so its name and its dates are never checked.
 *
 * @param fingerprint the SHA-256 fingerprint of the certificate in hex digits
 */
public record LinkIdentity(PrivateKey key, X509Certificate certificate, String fingerprint) {
    private static final X500Name NAME = new X500Name("CN=heddle");
    private static final Duration VALIDITY = Duration.ofDays(36_500);

    /** Creates a key and a certificate; takes some tenths of a second in a new process. */
    public static LinkIdentity create(SecureRandom random) {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            KeyPair pair = generator.generateKeyPair();
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    NAME,
                    new BigInteger(Long.SIZE, random),
                    Date.from(Instant.EPOCH),
                    Date.from(Instant.EPOCH.plus(VALIDITY)),
                    NAME,
                    pair.getPublic());
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(
                            builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(pair.getPrivate())));
            return new LinkIdentity(pair.getPrivate(), certificate, fingerprint(certificate));
        } catch (GeneralSecurityException | OperatorCreationException e) {
            throw new StartupException(
                    "This Java cannot create the certificate for the links between nodes (" + e.getMessage()
                            + "): use a Java that supports TLS 1.3 with EC keys.",
                    e);
        }
    }

    /** Returns the SHA-256 fingerprint of a certificate in hex digits. */
    static String fingerprint(Certificate certificate) throws GeneralSecurityException {
        byte[] digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
        return HexFormat.of().formatHex(digest);
    }

    /** Without the key. */
    @Override
    public String toString() {
        return "LinkIdentity[fingerprint=" + fingerprint + "]";
    }
}
