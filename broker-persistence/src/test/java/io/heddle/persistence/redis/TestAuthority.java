package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;

/** A certificate for 127.0.0.1 that is its own authority, made by the keytool of this JDK. */
final class TestAuthority {
    private static final String PASSWORD = "secret";

    private final Path keyStore;
    private final String pem;

    private TestAuthority(Path keyStore, String pem) {
        this.keyStore = keyStore;
        this.pem = pem;
    }

    static TestAuthority create(Path folder, String name) throws IOException, InterruptedException {
        Path keyStore = folder.resolve(name + ".p12");
        Path pem = folder.resolve(name + ".crt");
        keytool(keyStore, "-genkeypair", "-dname", "CN=" + name, "-keyalg", "EC", "-ext", "san=ip:127.0.0.1");
        keytool(keyStore, "-exportcert", "-rfc", "-file", pem.toString());
        return new TestAuthority(keyStore, Files.readString(pem));
    }

    private static void keytool(Path keyStore, String... arguments) throws IOException, InterruptedException {
        List<String> command = new ArrayList<>();
        command.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        command.addAll(List.of(arguments));
        command.addAll(List.of("-alias", "redis", "-keystore", keyStore.toString(), "-storepass", PASSWORD));
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .start();

        assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
        assertThat(process.exitValue()).as("exit status of %s", command).isZero();
    }

    /** Returns the certificate of the authority. */
    String pem() {
        return pem;
    }

    /** Returns what a server with the certificate needs. */
    SSLContext server() throws IOException, GeneralSecurityException {
        KeyStore keys = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(keyStore)) {
            keys.load(in, PASSWORD.toCharArray());
        }
        KeyManagerFactory factory = KeyManagerFactory.getInstance(KeyManagerFactory.getDefaultAlgorithm());
        factory.init(keys, PASSWORD.toCharArray());
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(factory.getKeyManagers(), null, null);
        return context;
    }
}
