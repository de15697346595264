package io.heddle.transport.certificate;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import io.heddle.transport.tls.KeyFiles;
import io.heddle.transport.tls.Revocations;
import io.heddle.transport.tls.ServerKey;
import io.heddle.transport.tls.TlsFixture;
import io.heddle.transport.tls.TrustFiles;
import java.io.IOException;
import java.io.OutputStream;
import java.io.StringWriter;
import java.math.BigInteger;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyPairGenerator;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.util.List;
import org.bouncycastle.asn1.sec.ECPrivateKey;
import org.bouncycastle.asn1.sec.SECObjectIdentifiers;
import org.bouncycastle.jce.provider.BouncyCastleProvider;
import org.bouncycastle.openssl.PKCS8Generator;
import org.bouncycastle.openssl.jcajce.JcaPEMWriter;
import org.bouncycastle.openssl.jcajce.JcaPKCS8Generator;
import org.bouncycastle.openssl.jcajce.JceOpenSSLPKCS8EncryptorBuilder;
import org.bouncycastle.openssl.jcajce.JcePEMEncryptorBuilder;
import org.bouncycastle.util.io.pem.PemObject;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The formats of certificates and keys, and the sentences about files that cannot be used. */
class CertificateFilesTest {
    private static final String SETTING = "heddle.mqtt.tls";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private TlsFixture fixture;
    private Issued server;
    private Path certificate;

    @BeforeEach
    void createCertificate() throws IOException {
        fixture = new TlsFixture(directory);
        server = fixture.trial().server(fixture.authority(), List.of("MQTT.example.org", "192.0.2.1"));
        certificate = fixture.write("server.pem", server.certificatePem());
    }

    private KeyFiles files(Path certificateFile, @Nullable Path key, String password) {
        return new KeyFiles(SETTING, certificateFile, key, password);
    }

    private void assertRead(KeyFiles files) {
        ServerKey read = ServerKeyReader.read(files);
        assertThat(read.certificate()).isEqualTo(server.certificate());
        // The formats encode the same key in different ways.
        assertThat(number(read.key())).isEqualTo(number(server.key()));
        assertThat(read.names()).containsExactly("mqtt.example.org", "192.0.2.1");
    }

    private static BigInteger number(PrivateKey key) {
        return ((java.security.interfaces.ECPrivateKey) key).getS();
    }

    private static void assertWrong(KeyFiles files, String... parts) {
        assertThatThrownBy(() -> ServerKeyReader.read(files))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(parts);
    }

    private static String pem(Object object) throws IOException {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(object);
        }
        return text.toString();
    }

    private String encryptedKey(String password) throws Exception {
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(new JcaPKCS8Generator(
                    server.key(),
                    new JceOpenSSLPKCS8EncryptorBuilder(PKCS8Generator.AES_256_CBC)
                            .setPassword(password.toCharArray())
                            .setProvider(new BouncyCastleProvider())
                            .build()));
        }
        return text.toString();
    }

    @Test
    void aKeyInPkcs8IsRead() throws Exception {
        assertRead(files(certificate, fixture.write("key.pem", server.keyPem()), ""));
    }

    @Test
    void certificateAndKeyMayBeInOneFile() throws Exception {
        assertRead(files(fixture.write("both.pem", server.keyPem() + server.certificatePem()), null, ""));
    }

    @Test
    void anEncryptedKeyIsReadWithItsPassword() throws Exception {
        Path key = fixture.write("key.pem", encryptedKey("secret"));

        assertThat(Files.readString(key)).contains("BEGIN ENCRYPTED PRIVATE KEY");
        assertRead(files(certificate, key, "secret"));
        assertWrong(files(certificate, key, ""), SETTING + ".key is " + key, "set heddle.mqtt.tls.key-password");
        assertWrong(files(certificate, key, "wrong"), key.toString(), "correct heddle.mqtt.tls.key-password");
    }

    @Test
    void aKeyInTheFormatOfOpenSslIsRead() throws Exception {
        // With the name of the curve, as OpenSSL writes it.
        ECPrivateKey content = new ECPrivateKey(256, number(server.key()), SECObjectIdentifiers.secp256r1);
        String curve = pem(new PemObject("EC PARAMETERS", SECObjectIdentifiers.secp256r1.getEncoded()));
        Path key = fixture.write("key.pem", curve + pem(new PemObject("EC PRIVATE KEY", content.getEncoded())));

        assertRead(files(certificate, key, ""));
    }

    @Test
    void aKeyInPkcs1IsReadWithAPasswordOrWithout() throws Exception {
        KeyPairGenerator generator = KeyPairGenerator.getInstance("RSA");
        generator.initialize(2_048, new SecureRandom());
        PrivateKey key = generator.generateKeyPair().getPrivate();
        StringWriter text = new StringWriter();
        try (JcaPEMWriter writer = new JcaPEMWriter(text)) {
            writer.writeObject(
                    key,
                    new JcePEMEncryptorBuilder("AES-128-CBC")
                            .setProvider(new BouncyCastleProvider())
                            .build("secret".toCharArray()));
        }
        SettingFile plain = SettingFile.read(SETTING + ".key", fixture.write("plain.pem", pem(key)));
        SettingFile encrypted = SettingFile.read(SETTING + ".key", fixture.write("encrypted.pem", text.toString()));

        assertThat(plain.text()).contains("BEGIN RSA PRIVATE KEY");
        assertThat(new PemBlocks(plain).key("", "the.password", "")).isEqualTo(key);
        assertThat(encrypted.text()).contains("Proc-Type: 4,ENCRYPTED");
        assertThat(new PemBlocks(encrypted).key("secret", "the.password", "")).isEqualTo(key);
        assertThatThrownBy(() -> new PemBlocks(encrypted).key("wrong", "the.password", ""))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(encrypted.path().toString(), "correct the.password");
    }

    private Path keyStore(String name, String password, boolean hasKey) throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        if (hasKey) {
            store.setKeyEntry("server", server.key(), password.toCharArray(), new Certificate[] {
                server.certificate(), fixture.authority().certificate()
            });
        } else {
            store.setCertificateEntry("authority", fixture.authority().certificate());
        }
        Path file = directory.resolve(name);
        try (OutputStream out = Files.newOutputStream(file)) {
            store.store(out, password.toCharArray());
        }
        return file;
    }

    @Test
    void aKeyInPkcs12IsRead() throws Exception {
        Path file = keyStore("server.p12", "secret", true);

        assertRead(files(file, null, "secret"));
        assertWrong(files(file, null, ""), SETTING + ".certificate is " + file, "set heddle.mqtt.tls.key-password");
        assertWrong(files(file, null, "wrong"), file.toString(), "correct heddle.mqtt.tls.key-password");
        assertWrong(files(keyStore("trust.p12", "secret", false), null, "secret"), "has no private key");
    }

    @Test
    void filesThatCannotBeUsedAreNamedWithTheirSetting() throws Exception {
        Path key = fixture.write("key.pem", server.keyPem());
        Path missing = directory.resolve("missing.pem");
        Path text = fixture.write("text.txt", "this is no certificate");
        Path empty = fixture.write("empty.pem", "");
        Path damaged = fixture.write(
                "damaged.pem", server.certificatePem().substring(0, 200) + "\n-----END CERTIFICATE-----\n");
        Path other = fixture.write(
                "other.pem",
                fixture.trial().server(fixture.authority(), List.of("x")).keyPem());

        assertWrong(files(missing, key, ""), SETTING + ".certificate is " + missing, "does not exist");
        assertWrong(files(certificate, missing, ""), SETTING + ".key is " + missing, "does not exist");
        assertWrong(files(text, key, ""), SETTING + ".certificate is " + text, "neither PEM nor PKCS#12");
        assertWrong(files(empty, key, ""), SETTING + ".certificate is " + empty);
        assertWrong(files(damaged, key, ""), SETTING + ".certificate is " + damaged);
        assertWrong(files(key, key, ""), SETTING + ".certificate is " + key, "has no certificate");
        assertWrong(files(certificate, certificate, ""), SETTING + ".key is " + certificate, "has no private key");
        assertWrong(
                files(certificate, null, ""),
                SETTING + ".certificate is " + certificate,
                "has no private key: set " + SETTING + ".key to");
        assertWrong(files(certificate, other, ""), SETTING + ".key is " + other, "does not have the key");
        assertWrong(files(directory, key, ""), SETTING + ".certificate is " + directory);
    }

    @Test
    void theCertificatesMustBeInOrder() throws Exception {
        Path key = fixture.write("key.pem", server.keyPem());
        String stranger = fixture.trial().authority("Stranger").certificatePem();

        assertThat(ServerKeyReader.read(files(
                                fixture.write(
                                        "chain.pem",
                                        server.certificatePem()
                                                + fixture.authority().certificatePem()),
                                key,
                                ""))
                        .chain())
                .hasSize(2);
        assertWrong(
                files(fixture.write("wrong.pem", server.certificatePem() + stranger), key, ""), "in the wrong order");
    }

    @Test
    void authoritiesAreReadFromPemAndPkcs12() throws Exception {
        Path pem = fixture.write("ca.pem", fixture.authority().certificatePem());
        Path store = keyStore("ca.p12", "secret", false);

        assertThat(ClientTrust.read(new TrustFiles(SETTING, pem, "", List.of())).authorities())
                .containsExactly(fixture.authority().certificate());
        assertThat(ClientTrust.read(new TrustFiles(SETTING, store, "secret", List.of()))
                        .authorities())
                .containsExactly(fixture.authority().certificate());
        assertThatThrownBy(() -> ClientTrust.read(new TrustFiles(SETTING, store, "wrong", List.of())))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(SETTING + ".trust-store is " + store, "trust-store-password");
        Path key = fixture.write("key.pem", server.keyPem());
        assertThatThrownBy(() -> ClientTrust.read(new TrustFiles(SETTING, key, "", List.of())))
                .isInstanceOf(StartupException.class)
                .hasMessageContainingAll(SETTING + ".trust-store is " + key, "has no certificate of an authority");
    }

    @Test
    void listsOfRevokedCertificatesAreReadFromPemAndDer() throws Exception {
        Path trust = fixture.write("ca.pem", fixture.authority().certificatePem());
        Path pem = fixture.write("list.pem", Revocations.list(fixture.authority(), Duration.ofDays(1)));
        ClientTrust read = ClientTrust.read(new TrustFiles(SETTING, trust, "", List.of(pem)));
        Path der = Files.write(
                directory.resolve("list.der"), read.revocationLists().getFirst().getEncoded());

        assertThat(ClientTrust.read(new TrustFiles(SETTING, trust, "", List.of(der))))
                .isEqualTo(read);
        assertThatThrownBy(() -> ClientTrust.read(new TrustFiles(SETTING, trust, "", List.of(trust))))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining(SETTING + ".revocation-lists is " + trust);
    }
}
