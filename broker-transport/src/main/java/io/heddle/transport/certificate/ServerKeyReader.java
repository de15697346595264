package io.heddle.transport.certificate;

import io.heddle.transport.tls.DistinguishedNames;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.ServerKey;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.PrivateKey;
import java.security.PublicKey;
import java.security.Signature;
import java.security.cert.CertificateParsingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Reads a certificate of the server with its key, and checks that they belong together. */
final class ServerKeyReader {
    /** The types of DNS names and IP addresses among the alternative names of a certificate. */
    private static final Set<Object> NAMES_AND_ADDRESSES = Set.of(2, 7);

    private static final Map<String, String> SIGNATURES = Map.of(
            "RSA",
            "SHA256withRSA",
            "RSASSA-PSS",
            "RSASSA-PSS",
            "EC",
            "SHA256withECDSA",
            "Ed25519",
            "Ed25519",
            "EdDSA",
            "Ed25519");

    private ServerKeyReader() {}

    /** Throws StartupException with a sentence for the operator if a file cannot be used. */
    static ServerKey read(KeyFiles files) {
        String passwordSetting = files.setting() + ".key-password";
        SettingFile certificate = SettingFile.read(files.setting() + ".certificate", files.certificate());
        if (!certificate.isPem()) {
            KeyStoreFile.Entry entry = new KeyStoreFile(certificate, files.password(), passwordSetting).entry();
            return checked(certificate, certificate, entry.key(), entry.chain(), files);
        }
        PemBlocks blocks = new PemBlocks(certificate);
        List<X509Certificate> chain = blocks.certificates();
        if (chain.isEmpty()) {
            throw certificate.wrong("has no certificate", "name the PEM file with the certificate of the server", null);
        }
        Path key = files.key();
        if (key == null) {
            String remedy = "set " + files.setting() + ".key to the PEM file with its key";
            PrivateKey own = blocks.key(files.password(), passwordSetting, remedy);
            return checked(certificate, certificate, own, chain, files);
        }
        SettingFile keyFile = SettingFile.read(files.setting() + ".key", key);
        if (!keyFile.isPem()) {
            throw keyFile.wrong("is not PEM", "convert it, for example with openssl pkey -inform DER", null);
        }
        PrivateKey other = new PemBlocks(keyFile)
                .key(files.password(), passwordSetting, "name the PEM file with the key of the certificate");
        return checked(certificate, keyFile, other, chain, files);
    }

    private static ServerKey checked(
            SettingFile certificate, SettingFile keyFile, PrivateKey key, List<X509Certificate> chain, KeyFiles files) {
        if (!isPair(key, chain.getFirst().getPublicKey())) {
            throw keyFile.wrong(
                    "does not have the key of the first certificate in " + certificate.path(),
                    "name the key that belongs to it, and put the certificate of the server first",
                    null);
        }
        for (int i = 1; i < chain.size(); i++) {
            if (!chain.get(i - 1).getIssuerX500Principal().equals(chain.get(i).getSubjectX500Principal())) {
                throw certificate.wrong(
                        "has certificates in the wrong order: number " + (i + 1) + " is not the authority of number "
                                + i,
                        "put each authority after the certificate that it has issued",
                        null);
            }
        }
        return new ServerKey(key, chain, names(certificate, chain.getFirst()), files);
    }

    private static boolean isPair(PrivateKey key, PublicKey publicKey) {
        String algorithm = SIGNATURES.get(key.getAlgorithm());
        if (algorithm == null) {
            return false;
        }
        try {
            byte[] text = "heddle".getBytes(StandardCharsets.US_ASCII);
            Signature signer = Signature.getInstance(algorithm);
            signer.initSign(key);
            signer.update(text);
            Signature verifier = Signature.getInstance(algorithm);
            verifier.initVerify(publicKey);
            verifier.update(text);
            return verifier.verify(signer.sign());
        } catch (GeneralSecurityException e) {
            // Keys of different algorithms or sizes.
            return false;
        }
    }

    private static List<String> names(SettingFile file, X509Certificate certificate) {
        List<String> names = new ArrayList<>();
        try {
            Collection<List<?>> all = certificate.getSubjectAlternativeNames();
            if (all == null) {
                String commonName = DistinguishedNames.commonName(certificate.getSubjectX500Principal());
                return commonName.isEmpty() ? List.of() : List.of(commonName.toLowerCase(Locale.ROOT));
            }
            for (List<?> name : all) {
                if (NAMES_AND_ADDRESSES.contains(name.getFirst()) && name.get(1) instanceof String text) {
                    names.add(text.toLowerCase(Locale.ROOT));
                }
            }
        } catch (CertificateParsingException e) {
            throw file.wrong("has a certificate whose names cannot be read (" + e.getMessage() + ")", "replace it", e);
        }
        return List.copyOf(names);
    }
}
