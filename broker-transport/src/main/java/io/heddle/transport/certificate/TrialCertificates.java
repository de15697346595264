package io.heddle.transport.certificate;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.io.StringWriter;
import java.math.BigInteger;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.SecureRandom;
import java.security.cert.X509Certificate;
import java.security.spec.ECGenParameterSpec;
import java.time.Duration;
import java.time.Instant;
import java.util.Date;
import java.util.List;
import java.util.regex.Pattern;
import org.bouncycastle.asn1.x500.X500Name;
import org.bouncycastle.asn1.x500.X500NameBuilder;
import org.bouncycastle.asn1.x500.style.BCStyle;
import org.bouncycastle.asn1.x509.BasicConstraints;
import org.bouncycastle.asn1.x509.ExtendedKeyUsage;
import org.bouncycastle.asn1.x509.Extension;
import org.bouncycastle.asn1.x509.GeneralName;
import org.bouncycastle.asn1.x509.GeneralNames;
import org.bouncycastle.asn1.x509.KeyPurposeId;
import org.bouncycastle.asn1.x509.KeyUsage;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.cert.jcajce.JcaX509ExtensionUtils;
import org.bouncycastle.cert.jcajce.JcaX509v3CertificateBuilder;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.operator.jcajce.JcaContentSignerBuilder;
import org.bouncycastle.util.io.pem.PemObjectGenerator;

/** Creates certificates for trials: an authority, and certificates that it issues. In memory only. Thread-safe. */
public final class TrialCertificates {
    private static final Pattern ADDRESS = Pattern.compile("[0-9]{1,3}(\\.[0-9]{1,3}){3}|[0-9A-Fa-f]*:[0-9A-Fa-f:.]*");
    private static final Pattern HOST = Pattern.compile("(\\*\\.)?[A-Za-z0-9_-]+(\\.[A-Za-z0-9_-]+)*");
    /** Clocks differ. */
    private static final Duration BACKDATED = Duration.ofHours(1);

    private static final int SERIAL_BITS = 127;

    private final SecureRandom random;
    private final Instant now;
    private final Duration validity;

    /** @param validity of each certificate from now on */
    public TrialCertificates(SecureRandom random, Instant now, Duration validity) {
        this.random = random;
        this.now = now;
        this.validity = validity;
    }

    public record Issued(PrivateKey key, X509Certificate certificate) {
        /** Returns the certificate in PEM. */
        public String certificatePem() {
            return pem(certificate);
        }

        /** Returns the key in PEM, as PKCS#8 without a password. */
        public String keyPem() {
            try {
                return pem(new JcaPKCS8Generator(key, null));
            } catch (IOException e) {
                throw impossible(e);
            }
        }

        /** Without the key. */
        @Override
        public String toString() {
            return "Issued[" + certificate.getSubjectX500Principal() + "]";
        }
    }

    /** Returns whether a text can be a name in a certificate: a host name, which may begin with {@code *.}, or an address. */
    public static boolean isHost(String host) {
        return host.length() <= 253
                && (ADDRESS.matcher(host).matches() || HOST.matcher(host).matches());
    }

    public Issued authority(String commonName) {
        KeyPair pair = keys();
        return issue(commonName, pair.getPublic(), commonName(commonName), pair.getPrivate(), pair, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(true));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.keyCertSign | KeyUsage.cRLSign));
        });
    }

    /** @param hosts names and addresses of the server, at least one */
    public Issued server(Issued authority, List<String> hosts) {
        return leaf(authority, hosts.getFirst(), hosts, KeyPurposeId.id_kp_serverAuth);
    }

    public Issued client(Issued authority, String commonName, List<String> hosts) {
        return leaf(authority, commonName, hosts, KeyPurposeId.id_kp_clientAuth);
    }

    private Issued leaf(Issued authority, String commonName, List<String> hosts, KeyPurposeId purpose) {
        KeyPair pair = keys();
        X500Name issuer = X500Name.getInstance(
                authority.certificate().getSubjectX500Principal().getEncoded());
        return issue(commonName, authority.certificate().getPublicKey(), issuer, authority.key(), pair, builder -> {
            builder.addExtension(Extension.basicConstraints, true, new BasicConstraints(false));
            builder.addExtension(Extension.keyUsage, true, new KeyUsage(KeyUsage.digitalSignature));
            builder.addExtension(Extension.extendedKeyUsage, false, new ExtendedKeyUsage(purpose));
            if (!hosts.isEmpty()) {
                GeneralName[] names =
                        hosts.stream().map(TrialCertificates::generalName).toArray(GeneralName[]::new);
                builder.addExtension(Extension.subjectAlternativeName, false, new GeneralNames(names));
            }
        });
    }

    private static GeneralName generalName(String host) {
        return new GeneralName(ADDRESS.matcher(host).matches() ? GeneralName.iPAddress : GeneralName.dNSName, host);
    }

    private interface Extensions {
        void addTo(JcaX509v3CertificateBuilder builder) throws IOException;
    }

    private Issued issue(
            String commonName,
            PublicKey issuerKey,
            X500Name issuer,
            PrivateKey signer,
            KeyPair pair,
            Extensions extensions) {
        try {
            JcaX509v3CertificateBuilder builder = new JcaX509v3CertificateBuilder(
                    issuer,
                    new BigInteger(SERIAL_BITS, random),
                    Date.from(now.minus(BACKDATED)),
                    Date.from(now.plus(validity)),
                    commonName(commonName),
                    pair.getPublic());
            JcaX509ExtensionUtils identifiers = new JcaX509ExtensionUtils();
            builder.addExtension(
                    Extension.subjectKeyIdentifier, false, identifiers.createSubjectKeyIdentifier(pair.getPublic()));
            builder.addExtension(
                    Extension.authorityKeyIdentifier, false, identifiers.createAuthorityKeyIdentifier(issuerKey));
            extensions.addTo(builder);
            X509Certificate certificate = new JcaX509CertificateConverter()
                    .getCertificate(builder.build(new JcaContentSignerBuilder("SHA256withECDSA").build(signer)));
            return new Issued(pair.getPrivate(), certificate);
        } catch (GeneralSecurityException | OperatorCreationException | IOException e) {
            throw impossible(e);
        }
    }

    private static X500Name commonName(String name) {
        return new X500NameBuilder().addRDN(BCStyle.CN, name).build();
    }

    private KeyPair keys() {
        try {
            KeyPairGenerator generator = KeyPairGenerator.getInstance("EC");
            generator.initialize(new ECGenParameterSpec("secp256r1"), random);
            return generator.generateKeyPair();
        } catch (GeneralSecurityException e) {
            throw impossible(e);
        }
    }

    private static String pem(Object object) {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            if (object instanceof PemObjectGenerator generator) {
                writer.writeObject(generator);
            } else {
                writer.writeObject(object);
            }
        } catch (IOException e) {
            throw impossible(e);
        }
        return text.toString();
    }

    private static StartupException impossible(Exception e) {
        return new StartupException(
                "This Java cannot create certificates (" + e.getMessage() + "): use a Java that supports EC keys", e);
    }
}
