package io.heddle.transport.tls;

import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.io.StringWriter;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import org.bouncycastle.asn1.x509.CRLReason;
import org.bouncycastle.cert.jcajce.JcaX509v2CRLBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;

/** Creates lists of revoked certificates. */
public final class Revocations {
    private Revocations() {}

    /** Returns the list of an authority in PEM. */
    public static String list(Issued authority, Duration validity, X509Certificate... revoked) throws Exception {
        Instant issued = Instant.now().minusSeconds(3_600);
        JcaX509v2CRLBuilder builder = new JcaX509v2CRLBuilder(authority.certificate(), Date.from(issued));
        builder.setNextUpdate(Date.from(Instant.now().plus(validity)));
        for (X509Certificate each : revoked) {
            builder.addCRLEntry(each.getSerialNumber(), Date.from(issued), CRLReason.keyCompromise);
        }
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(authority.key())));
        }
        return text.toString();
    }
}
