package io.heddle.transport.listener;

import io.heddle.core.Limit;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.transport.certificate.Certificates;
import io.heddle.transport.connection.ListenerKind;
import io.heddle.transport.pipeline.PipelineStage;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.tls.TlsFixture;
import io.heddle.transport.tls.TlsProvider;
import io.heddle.transport.tls.TlsSettings;
import io.heddle.transport.websocket.AllowedOrigins;
import io.heddle.transport.websocket.WebSocketEndpoint;
import java.io.IOException;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Nested;
import org.junit.jupiter.api.io.TempDir;

/** Connections of each kind of listener keep the same contract. */
class NettyConnectionTest {
    private static final WebSocketEndpoint WEB_SOCKET = new WebSocketEndpoint(
            List.of("/mqtt"),
            new AllowedOrigins(Set.of(), "the origins of the test"),
            new Limit("the limit of the test", 200_000),
            TrustedNetworks.parse(List.of()),
            Duration.ofSeconds(2));

    private static Listener listener(
            ListenerKind kind, @Nullable PipelineStage encryption, @Nullable WebSocketEndpoint webSocket) {
        return new Listener(
                kind.tag(),
                "127.0.0.1",
                0,
                "the port of the test",
                kind,
                new Limit("the limit of the test", Integer.MAX_VALUE),
                EnumSet.allOf(MqttVersion.class),
                null,
                encryption,
                webSocket);
    }

    @Nested
    class TcpConnectionTest extends ServedConnectionContract {
        @Override
        Listener listener() {
            return NettyConnectionTest.listener(ListenerKind.TCP, null, null);
        }

        @Override
        ReadingClient client(Socket socket) throws IOException {
            return ReadingClient.of(socket);
        }
    }

    @Nested
    class WebSocketConnectionTest extends ServedConnectionContract {
        @Override
        Listener listener() {
            return NettyConnectionTest.listener(ListenerKind.WS, null, WEB_SOCKET);
        }

        @Override
        ReadingClient client(Socket socket) throws IOException {
            return ReadingClient.ofWebSocket(socket);
        }
    }

    /** Connections with TLS of one provider. */
    abstract static class EncryptedConnectionContract extends ServedConnectionContract {
        @TempDir
        @SuppressWarnings("NullAway.Init") // Set by JUnit.
        private Path directory;

        @SuppressWarnings("NullAway.Init") // Set before each test.
        private TlsFixture fixture;

        @BeforeEach
        @Override
        void connect() throws Exception {
            fixture = new TlsFixture(directory);
            super.connect();
        }

        @AfterEach
        @Override
        void close() throws Exception {
            super.close();
            fixture.close();
        }

        PipelineStage encryption(TlsProvider provider) throws IOException {
            TlsSettings settings = TlsFixture.with(provider, fixture.serverKey("a", "127.0.0.1"));
            Certificates certificates = fixture.certificates(fixture.handshakes(10, Duration.ofSeconds(30)), settings);
            return certificates.tls(settings.listener())::addTo;
        }

        SSLSocket encrypted(Socket socket) throws Exception {
            return (SSLSocket)
                    fixture.clients(null).getSocketFactory().createSocket(socket, "127.0.0.1", socket.getPort(), true);
        }
    }

    @Nested
    class TlsConnectionTest extends EncryptedConnectionContract {
        @Override
        Listener listener() throws IOException {
            return NettyConnectionTest.listener(ListenerKind.TLS, encryption(TlsProvider.AUTO), null);
        }

        @Override
        ReadingClient client(Socket socket) throws Exception {
            return ReadingClient.of(encrypted(socket));
        }
    }

    @Nested
    class TlsOfTheJdkConnectionTest extends EncryptedConnectionContract {
        @Override
        Listener listener() throws IOException {
            return NettyConnectionTest.listener(ListenerKind.TLS, encryption(TlsProvider.JDK), null);
        }

        @Override
        ReadingClient client(Socket socket) throws Exception {
            return ReadingClient.of(encrypted(socket));
        }
    }

    @Nested
    class SecureWebSocketConnectionTest extends EncryptedConnectionContract {
        @Override
        Listener listener() throws IOException {
            return NettyConnectionTest.listener(ListenerKind.WSS, encryption(TlsProvider.AUTO), WEB_SOCKET);
        }

        @Override
        ReadingClient client(Socket socket) throws Exception {
            return ReadingClient.ofWebSocket(encrypted(socket));
        }
    }
}
