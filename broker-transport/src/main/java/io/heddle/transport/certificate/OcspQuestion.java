package io.heddle.transport.certificate;

import io.heddle.transport.tls.ServerKey;
import java.io.IOException;
import java.net.URI;
import java.security.GeneralSecurityException;
import java.security.cert.CertPathValidator;
import java.security.cert.CertPathValidatorException;
import java.security.cert.CertPathValidatorException.BasicReason;
import java.security.cert.CertificateFactory;
import java.security.cert.PKIXParameters;
import java.security.cert.PKIXRevocationChecker;
import java.security.cert.TrustAnchor;
import java.security.cert.X509Certificate;
import java.time.Instant;
import java.util.Arrays;
import java.util.Date;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.bouncycastle.asn1.x509.AccessDescription;
import org.bouncycastle.asn1.x509.AuthorityInformationAccess;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.cert.jcajce.JcaX509CertificateHolder;
import org.bouncycastle.cert.ocsp.BasicOCSPResp;
import org.bouncycastle.cert.ocsp.CertificateID;
import org.bouncycastle.cert.ocsp.OCSPException;
import org.bouncycastle.cert.ocsp.OCSPReqBuilder;
import org.bouncycastle.cert.ocsp.OCSPResp;
import org.bouncycastle.cert.ocsp.RevokedStatus;
import org.bouncycastle.cert.ocsp.SingleResp;
import org.bouncycastle.cert.ocsp.jcajce.JcaCertificateID;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaDigestCalculatorProviderBuilder;

/**
 * The question to the responder of an authority whether a certificate is revoked (RFC 6960). Immutable.
 *
 * @param issuer the certificate of the authority
 * @param responder the address that the certificate names
 */
record OcspQuestion(X509Certificate certificate, X509Certificate issuer, URI responder) {
    /**
     * The time of a response.
     *
     * @param end when the authority has a newer one at the latest
     */
    record Validity(Instant begin, Instant end) {}

    /** @throws IllegalArgumentException with a clause that says why no responder can be asked, and what to do */
    static OcspQuestion of(ServerKey key) {
        URI responder = responder(key.certificate());
        if (key.chain().size() < 2) {
            throw new IllegalArgumentException("its file has no certificate of its authority: append it");
        }
        return new OcspQuestion(key.certificate(), key.chain().get(1), responder);
    }

    private static URI responder(X509Certificate certificate) {
        try {
            AuthorityInformationAccess access = AuthorityInformationAccess.fromExtensions(
                    new JcaX509CertificateHolder(certificate).getExtensions());
            for (AccessDescription each : access == null ? new AccessDescription[0] : access.getAccessDescriptions()) {
                GeneralName location = each.getAccessLocation();
                String address = location.getName().toString();
                if (each.getAccessMethod().equals(AccessDescription.id_ad_ocsp)
                        && location.getTagNo() == GeneralName.uniformResourceIdentifier
                        && address.startsWith("http://")) {
                    return URI.create(address);
                }
            }
        } catch (GeneralSecurityException unreadable) {
            throw new IllegalArgumentException("it cannot be read", unreadable);
        }
        throw new IllegalArgumentException("it names no address of a responder that begins with http://");
    }

    byte[] request() throws IOException, GeneralSecurityException {
        try {
            CertificateID id = new JcaCertificateID(
                    new JcaDigestCalculatorProviderBuilder().build().get(CertificateID.HASH_SHA1),
                    issuer,
                    certificate.getSerialNumber());
            return new OCSPReqBuilder().addRequest(id).build().getEncoded();
        } catch (OCSPException | OperatorCreationException failed) {
            throw new GeneralSecurityException("cannot create the request", failed);
        }
    }

    /**
     * Checks that the authority, or a responder that it has authorized, says now that the certificate is good.
     *
     * @throws CertPathValidatorException with the reason REVOKED if it says that the certificate is revoked
     * @throws GeneralSecurityException if it proves nothing
     * @throws IOException if the response is not understood
     */
    Validity check(byte[] response, Instant now) throws IOException, GeneralSecurityException {
        CertPathValidator validator = CertPathValidator.getInstance("PKIX");
        PKIXRevocationChecker checker = (PKIXRevocationChecker) validator.getRevocationChecker();
        checker.setOptions(Set.of(PKIXRevocationChecker.Option.NO_FALLBACK));
        checker.setOcspResponses(Map.of(certificate, response));
        PKIXParameters parameters = new PKIXParameters(Set.of(new TrustAnchor(issuer, null)));
        parameters.setDate(Date.from(now));
        parameters.addCertPathChecker(checker);
        var _ = validator.validate(
                CertificateFactory.getInstance("X.509").generateCertPath(List.of(certificate)), parameters);
        Validity validity = validity(response);
        if (now.isBefore(validity.begin) || !now.isBefore(validity.end)) {
            // The JDK allows a difference of 15 minutes between the clocks, for which clients need not.
            throw new IOException("the response is valid from " + validity.begin + " to " + validity.end
                    + " only; compare the clock of this node");
        }
        return validity;
    }

    private Validity validity(byte[] response) throws IOException, CertPathValidatorException {
        try {
            BasicOCSPResp answer = (BasicOCSPResp) new OCSPResp(response).getResponseObject();
            SingleResp ours = Arrays.stream(answer.getResponses())
                    .filter(each -> each.getCertID().getSerialNumber().equals(certificate.getSerialNumber()))
                    .findFirst()
                    .orElseThrow(() -> new IOException("the response is about other certificates"));
            if (ours.getCertStatus() instanceof RevokedStatus) {
                // The JDK ignores a revocation in the future, for example if the clock of this node is slow.
                throw new CertPathValidatorException("the certificate is revoked", null, null, -1, BasicReason.REVOKED);
            }
            if (ours.getNextUpdate() == null) {
                throw new IOException("the response has no end");
            }
            return new Validity(
                    ours.getThisUpdate().toInstant(), ours.getNextUpdate().toInstant());
        } catch (OCSPException malformed) {
            throw new IOException("the response is malformed", malformed);
        }
    }
}
