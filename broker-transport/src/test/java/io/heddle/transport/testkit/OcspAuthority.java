package io.heddle.transport.testkit;

import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.io.IOException;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import javax.security.auth.x500.X500Principal;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.BasicOCSPRespBuilder;
import org.bouncycastle.cert.ocsp.CertificateStatus;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReq;
import org.bouncycastle.cert.ocsp.OCSPRespBuilder;
import org.bouncycastle.cert.ocsp.Req;
import org.bouncycastle.cert.ocsp.jcajce.JcaRespID;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.jspecify.annotations.Nullable;

/** Issues certificates that name a responder, and answers as the responder. */
public record OcspAuthority(Issued authority, String responder) {
    private static final String SIGNATURE = "SHA256withECDSA";

    /** Issues a certificate for localhost. */
    public Issued server() throws Exception {
        return issue(true, KeyPurposeId.id_kp_serverAuth);
    }

    /** Issues a certificate for localhost that names no responder. */
    public Issued withoutResponder() throws Exception {
        return issue(false, KeyPurposeId.id_kp_serverAuth);
    }

    /** Issues a certificate with which a responder signs. */
    public Issued delegate() throws Exception {
        return issue(false, KeyPurposeId.id_kp_OCSPSigning);
    }

    private Issued issue(boolean hasResponder, KeyPurposeId purpose) throws Exception {
        KeyPair pair = KeyPairGenerator.getInstance("EC").generateKeyPair();
        Instant now = Instant.now();
        JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                authority.certificate(),
                new BigInteger(64, new SecureRandom()),
                Date.from(now.minus(Duration.ofDays(1))),
                Date.from(now.plus(Duration.ofDays(60))),
                new X500Principal("CN=" + (hasResponder ? "localhost" : "other")),
                pair.getPublic());
        builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
        builder.addExtension(
                Extension.subjectAlternativeName,
                false,
                new GeneralNames(new GeneralName(GeneralName.dNSName, "localhost")));
        if (hasResponder) {
            builder.addExtension(
                    Extension.authorityInfoAccess,
                    false,
                    new AuthorityInformationAccess(
                            AccessDescription.id_ad_ocsp,
                            new GeneralName(GeneralName.uniformResourceIdentifier, responder)));
        }
        return new Issued(
                pair.getPrivate(),
                new JcaX509CertificateConverter()
                        .getCertificate(builder.build(new JcaContentSignerBuilder(SIGNATURE).build(authority.key()))));
    }

    /** Answers that the certificates of a request are good from now on. */
    public byte[] goodFor(byte[] request, Duration validity) throws IOException {
        Instant now = Instant.now();
        return answer(request, now, now.plus(validity));
    }

    /** Answers that the certificates of a request are good. */
    public byte[] answer(byte[] request, Instant begin, Instant end) throws IOException {
        return answer(request, CertificateStatus.GOOD, authority, begin, end);
    }

    /** Answers with a status, signed by the authority or another. */
    public static byte[] answer(
            byte[] request, CertificateStatus status, Issued signer, Instant begin, @Nullable Instant end)
            throws IOException {
        X509Certificate certificate = signer.certificate();
        try {
            BasicOCSPRespBuilder builder =
                    new BasicOCSPRespBuilder(new JcaRespID(certificate.getSubjectX500Principal()));
            for (Req each : new OCSPReq(request).getRequestList()) {
                builder.addResponse(each.getCertID(), status, Date.from(begin), end == null ? null : Date.from(end));
            }
            BasicOCSPResp signed = builder.build(
                    new JcaContentSignerBuilder(SIGNATURE).build(signer.key()),
                    new X509CertificateHolder[] {new JcaX509CertificateHolder(certificate)},
                    Date.from(begin));
            return new OCSPRespBuilder()
                    .build(OCSPRespBuilder.SUCCESSFUL, signed)
                    .getEncoded();
        } catch (OCSPException | OperatorCreationException | GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
