package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.api.server.ProbePort;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import javax.net.ssl.SSLHandshakeException;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** REST, metrics and commands over TLS. */
final class HttpsIT {
    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private static BrokerUnderTest start(TrialTls tls) {
        return BrokerUnderTest.start(
                "--heddle.http.tls.certificate=" + tls.certificateFile(),
                "--heddle.http.tls.key=" + tls.keyFile(),
                "--heddle.http.probe-port=0",
                "--heddle.mqtt.tls.reload-interval=100ms");
    }

    private static int status(HttpClient client, String url) throws IOException, InterruptedException {
        return client.send(HttpRequest.newBuilder(URI.create(url)).build(), HttpResponse.BodyHandlers.discarding())
                .statusCode();
    }

    @Test
    void restAndMetricsAreServedWithTlsAndProbesWithout() throws Exception {
        TrialTls tls = new TrialTls(directory);
        try (BrokerUnderTest broker = start(tls);
                RestAdministrator administrator = new RestAdministrator(broker, tls);
                HttpClient trustingOthers = HttpClient.newHttpClient()) {
            String authority = ListenerAddress.HOST + ":" + broker.httpPort();

            assertThat(administrator.get("/api/v1/node").path("state").asString())
                    .isEqualTo("READY");
            assertThat(administrator.text("/actuator/prometheus"))
                    .contains("heddle_tls_expiry_seconds{kind=\"certificate\",listener=\"http\",subject=\"CN=first")
                    .doesNotContain("ssl_chain_expiry");
            administrator.command("nodes");
            assertThat(status(trustingOthers, "http://" + authority + "/")).isEqualTo(400);
            assertThatThrownBy(() -> status(trustingOthers, "https://" + authority + "/"))
                    .isInstanceOf(SSLHandshakeException.class);
            assertThat(status(
                            trustingOthers,
                            "http://" + ListenerAddress.HOST + ":"
                                    + broker.part(ProbePort.class).port() + "/actuator/health/liveness"))
                    .isEqualTo(200);
        }
    }

    @Test
    void bothVersionsOfTlsAreServed() throws Exception {
        TrialTls tls = new TrialTls(directory);
        try (BrokerUnderTest broker = start(tls)) {
            for (String version : List.of("TLSv1.3", "TLSv1.2")) {
                try (SSLSocket socket = (SSLSocket)
                        tls.context().getSocketFactory().createSocket(ListenerAddress.HOST, broker.httpPort())) {
                    socket.setEnabledProtocols(new String[] {version});
                    socket.startHandshake();
                    assertThat(socket.getSession().getProtocol()).isEqualTo(version);
                    assertThat(socket.getSession().getCipherSuite()).doesNotContain("CBC");
                }
            }
        }
    }

    @Test
    void replacedFilesAreUsedForNewConnections() throws Exception {
        TrialTls tls = new TrialTls(directory);
        try (BrokerUnderTest broker = start(tls);
                RestAdministrator administrator = new RestAdministrator(broker, tls)) {
            int port = broker.httpPort();
            assertThat(tls.nameAt(port)).isEqualTo("first");

            tls.replaceCertificate("second");
            Soon.until(() -> tls.nameAt(port).equals("second"));

            Files.writeString(tls.certificateFile(), "no certificate");
            Soon.until(() -> broker.count("heddle.tls.reloads", "result", "failure") > 0);
            assertThat(tls.nameAt(port)).isEqualTo("second");

            tls.replaceCertificate("third");
            administrator.command("reload-certificates");
            assertThat(tls.nameAt(port)).isEqualTo("third");
        }
    }
}
