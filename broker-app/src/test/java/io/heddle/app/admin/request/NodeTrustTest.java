package io.heddle.app.admin.request;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.process.ProcessIdentity;
import io.heddle.transport.certificate.TrialCertificates;
import io.heddle.transport.certificate.TrialCertificates.Issued;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.SecureRandom;
import java.security.cert.Certificate;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import picocli.CommandLine;

/** Commands send a password only to a node whose certificate they trust. */
final class NodeTrustTest {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private final TrialCertificates trial =
            new TrialCertificates(new SecureRandom(), Instant.now(), Duration.ofDays(60));
    private final Issued authority = trial.authority("Trial authority");

    @BeforeEach
    void writeFiles() throws IOException {
        Files.writeString(directory.resolve("password"), "secret");
        Files.writeString(directory.resolve("ca.pem"), authority.certificatePem());
    }

    private ApiServer server(String host) throws GeneralSecurityException, IOException {
        Issued server = trial.server(authority, List.of(host));
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setKeyEntry("server", server.key(), new char[0], new Certificate[] {server.certificate()});
        KeyManagerFactory keys = KeyManagerFactory.getInstance("PKIX");
        keys.init(store, new char[0]);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(keys.getKeyManagers(), null, null);
        return ApiServer.start(context);
    }

    private NodeClient client(String... arguments) {
        List<String> all = new ArrayList<>(List.of(arguments));
        all.add("--password-file=" + directory.resolve("password"));
        return CommandLine.populateCommand(new NodeRequest(directory.toString()), all.toArray(String[]::new))
                .connect();
    }

    private String caFile() {
        return "--ca-file=" + directory.resolve("ca.pem");
    }

    @Test
    void aNodeWhoseAuthorityIsInTheFileIsAsked() throws Exception {
        try (ApiServer server = server("127.0.0.1");
                NodeClient node = client("--url=" + server.uri(), caFile())) {
            var _ = node.get(ApiPath.of("nodes"));

            assertThat(server.requests()).containsExactly("GET /api/v1/nodes");
        }
    }

    @Test
    void aNodeOfAnotherAuthorityIsNamedAndGetsNoPassword() throws Exception {
        Files.writeString(
                directory.resolve("ca.pem"),
                trial.authority("Another authority").certificatePem());
        try (ApiServer server = server("127.0.0.1");
                NodeClient other = client("--url=" + server.uri(), caFile());
                NodeClient ofJava = client("--url=" + server.uri())) {
            for (NodeClient node : List.of(other, ofJava)) {
                assertThatThrownBy(() -> node.get(ApiPath.of("nodes")))
                        .isInstanceOf(StartupException.class)
                        .hasMessageStartingWith(
                                "the certificate of " + server.uri().getAuthority() + " is not trusted")
                        .hasMessageContaining("--ca-file")
                        .cause()
                        .isNotInstanceOf(IOException.class);
            }
            assertThat(server.requests()).isEmpty();
        }
    }

    @Test
    void aNodeWithAnotherNameIsNotTrusted() throws Exception {
        try (ApiServer server = server("mqtt.example.org");
                NodeClient node = client("--url=" + server.uri(), caFile())) {
            assertThatThrownBy(() -> node.get(ApiPath.of("nodes")))
                    .hasMessageContaining("is not trusted")
                    .hasMessageContaining("--url by a name that the certificate has");
        }
    }

    @Test
    void aBrokerOfTheDataDirectoryNeedsNoAuthority() throws Exception {
        try (ApiServer server = server("mqtt.example.org")) {
            Path run = Files.createDirectories(directory.resolve("run"));
            Files.writeString(
                    run.resolve("http-a.properties"),
                    "node=a\nurl=" + server.uri() + "\nprocess="
                            + ProcessIdentity.of(ProcessHandle.current().pid()) + "\n");
            try (NodeClient node = client()) {
                var _ = node.get(ApiPath.of("nodes"));
            }

            assertThat(server.requests()).containsExactly("GET /api/v1/nodes");
        }
    }

    @Test
    void aWrongFileIsNamed() throws Exception {
        Files.writeString(directory.resolve("ca.pem"), "no certificate\n");
        assertThatThrownBy(() -> client("--url=https://127.0.0.1:1", caFile()))
                .isInstanceOf(StartupException.class)
                .hasMessageStartingWith("--ca-file is " + directory.resolve("ca.pem") + ", which has no certificate");
        Files.delete(directory.resolve("ca.pem"));
        assertThatThrownBy(() -> client("--url=https://127.0.0.1:1", caFile()))
                .hasMessageContaining("which cannot be read")
                .hasMessageContaining("correct the path");
        assertThatThrownBy(() -> client("--url=http://127.0.0.1:1", caFile()))
                .hasMessage("--ca-file is given, but http://127.0.0.1:1 does not begin with https://: correct --url, or"
                        + " remove --ca-file");
    }
}
