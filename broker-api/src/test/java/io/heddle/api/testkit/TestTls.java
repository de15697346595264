package io.heddle.api.testkit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/**
 * A certificate for 127.0.0.1.
 *
 * @param context trusts it
 * @param keyStore has it with its key
 */
public record TestTls(SSLContext context, Path keyStore) {
    private static final String PASSWORD = "a password of a test";

    /** Creates a certificate in a folder. */
    public static TestTls create(Path directory) throws Exception {
        Path store = directory.resolve("server.p12");
        Process keytool = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "keytool")
                                .toString(),
                        "-genkeypair",
                        "-keystore",
                        store.toString(),
                        "-storepass",
                        PASSWORD,
                        "-alias",
                        "server",
                        "-keyalg",
                        "EC",
                        "-dname",
                        "CN=localhost",
                        "-ext",
                        "san=ip:127.0.0.1")
                .redirectErrorStream(true)
                .start();
        assertThat(new String(keytool.getInputStream().readAllBytes(), UTF_8)).doesNotContain("error");
        assertThat(keytool.waitFor()).isZero();
        KeyStore trusted = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(store)) {
            trusted.load(in, PASSWORD.toCharArray());
        }
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(trusted);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, trust.getTrustManagers(), null);
        return new TestTls(context, store);
    }

    /** Returns the settings of a server that uses it. */
    public String[] settings() {
        return new String[] {
            "--server.ssl.key-store=" + keyStore,
            "--server.ssl.key-store-type=PKCS12",
            "--server.ssl.key-store-password=" + PASSWORD
        };
    }
}
