package io.heddle.transport.certificate;

import java.io.IOException;
import java.io.StringReader;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateException;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.bouncycastle.asn1.pkcs.PrivateKeyInfo;
import org.bouncycastle.cert.X509CertificateHolder;
import org.bouncycastle.cert.jcajce.JcaX509CertificateConverter;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PEMEncryptedKeyPair;
import org.bouncycastle.openssl.PEMException;
import org.bouncycastle.openssl.PEMKeyPair;
import org.bouncycastle.openssl.PEMParser;
import org.bouncycastle.openssl.bc.BcPEMDecryptorProvider;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8DecryptorProviderBuilder;
import org.bouncycastle.operator.OperatorCreationException;
import org.bouncycastle.pkcs.PKCS8EncryptedPrivateKeyInfo;
import org.bouncycastle.pkcs.PKCSException;
import org.jspecify.annotations.Nullable;

/**
 * The blocks of a PEM file. Reads certificates, and private keys of the algorithms RSA, EC and Ed25519 in the formats PKCS#8 and of OpenSSL (PKCS#1
 * and SEC1), each with a password or without.
 */
final class PemBlocks {
    private static final Map<String, String> ALGORITHMS = Map.of(
            "1.2.840.113549.1.1.1", "RSA",
            "1.2.840.113549.1.1.10", "RSASSA-PSS",
            "1.2.840.10045.2.1", "EC",
            "1.3.101.112", "Ed25519");

    private final SettingFile file;
    private final List<Object> blocks = new ArrayList<>();

    PemBlocks(SettingFile file) {
        this.file = file;
        try (PEMParser parser = new PEMParser(new StringReader(file.text()))) {
            for (Object block = parser.readObject(); block != null; block = parser.readObject()) {
                blocks.add(block);
            }
        } catch (IOException | IllegalArgumentException e) {
            throw file.wrong("is damaged (" + e.getMessage() + ")", "copy it again", e);
        }
    }

    /** Returns the certificates in the order of the file; may be empty. */
    List<X509Certificate> certificates() {
        List<X509Certificate> certificates = new ArrayList<>();
        try {
            for (Object block : blocks) {
                if (block instanceof X509CertificateHolder certificate) {
                    certificates.add(new JcaX509CertificateConverter().getCertificate(certificate));
                }
            }
        } catch (CertificateException e) {
            throw file.wrong("has a certificate that Java cannot read (" + e.getMessage() + ")", "replace it", e);
        }
        return certificates;
    }

    /**
     * Returns the first private key.
     *
     * @param password empty for none
     * @param passwordSetting key of the setting of the password
     * @param remedy of a file without a key
     */
    PrivateKey key(String password, String passwordSetting, String remedy) {
        for (Object block : blocks) {
            PrivateKeyInfo info = info(block, password, passwordSetting);
            if (info != null) {
                return key(info);
            }
        }
        throw file.wrong("has no private key", remedy, null);
    }

    private @Nullable PrivateKeyInfo info(Object block, String password, String passwordSetting) {
        boolean isEncrypted = block instanceof PKCS8EncryptedPrivateKeyInfo || block instanceof PEMEncryptedKeyPair;
        if (isEncrypted && password.isEmpty()) {
            throw file.wrong("has an encrypted private key", "set " + passwordSetting + " to its password", null);
        }
        try {
            return switch (block) {
                case PrivateKeyInfo plain -> plain;
                case PEMKeyPair pair -> pair.getPrivateKeyInfo();
                case PKCS8EncryptedPrivateKeyInfo encrypted ->
                    encrypted.decryptPrivateKeyInfo(new JceOpenSSLPKCS8DecryptorProviderBuilder()
                            .setProvider(new BouncyCastleProvider())
                            .build(password.toCharArray()));
                case PEMEncryptedKeyPair encrypted ->
                    encrypted
                            .decryptKeyPair(new BcPEMDecryptorProvider(password.toCharArray()))
                            .getPrivateKeyInfo();
                default -> null;
            };
        } catch (PKCSException | PEMException | OperatorCreationException e) {
            throw file.wrong(
                    "has a private key that cannot be decrypted (" + e.getMessage() + ")",
                    "correct " + passwordSetting,
                    e);
        } catch (IOException e) {
            throw file.wrong("has a private key that is damaged (" + e.getMessage() + ")", "copy it again", e);
        }
    }

    private PrivateKey key(PrivateKeyInfo info) {
        String identifier = info.getPrivateKeyAlgorithm().getAlgorithm().getId();
        String algorithm = ALGORITHMS.get(identifier);
        if (algorithm == null) {
            throw file.wrong(
                    "has a private key of the algorithm " + identifier, "use a key for RSA, EC or Ed25519", null);
        }
        try {
            return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(info.getEncoded()));
        } catch (GeneralSecurityException | IOException e) {
            throw file.wrong("has a private key that Java cannot read (" + e.getMessage() + ")", "replace it", e);
        }
    }
}
