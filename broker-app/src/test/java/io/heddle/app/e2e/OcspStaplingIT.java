package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.net.httpserver.HttpServer;
import io.heddle.transport.testkit.OcspAuthority;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A broker that fetches the OCSP response of its certificate over HTTP. */
final class OcspStaplingIT {
    @Test
    void clientsGetTheResponseOfTheResponder(@TempDir Path directory) throws Exception {
        TrialTls tls = new TrialTls(directory);
        HttpServer responder = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        OcspAuthority ocsp = new OcspAuthority(
                tls.authority(), "http://127.0.0.1:" + responder.getAddress().getPort() + "/ocsp");
        AtomicInteger requests = new AtomicInteger();
        responder.createContext("/ocsp", exchange -> {
            requests.incrementAndGet();
            assertThat(exchange.getRequestHeaders().getFirst("Content-Type")).isEqualTo("application/ocsp-request");
            byte[] answer = ocsp.goodFor(exchange.getRequestBody().readAllBytes(), Duration.ofHours(1));
            try (exchange) {
                exchange.sendResponseHeaders(200, answer.length);
                exchange.getResponseBody().write(answer);
            }
        });
        responder.start();
        tls.replaceCertificate(ocsp.server());
        List<String> settings = new ArrayList<>(tls.settings());
        settings.addAll(List.of("--heddle.mqtt.tls-port=0", "--heddle.mqtt.tls.ocsp-stapling=true"));
        try (BrokerUnderTest broker = BrokerUnderTest.start(settings.toArray(String[]::new))) {
            int port = broker.listeners("tls").getFirst().getPort();

            Soon.until(() -> broker.count("heddle.tls.ocsp.fetches", "result", "success") == 1);

            assertThat(responses(tls.context(), port)).hasSize(1);
            assertThat(responses(tls.context(), port)).hasSize(1);
            assertThat(requests).hasValue(1);
            assertThat(broker.gauge("heddle.tls.ocsp.missing")).isZero();
        } finally {
            responder.stop(0);
        }
    }

    private static List<byte[]> responses(SSLContext clients, int port) throws Exception {
        try (SSLSocket socket = (SSLSocket) clients.getSocketFactory().createSocket(ListenerAddress.HOST, port)) {
            socket.startHandshake();
            return ((ExtendedSSLSession) socket.getSession()).getStatusResponses();
        }
    }
}
