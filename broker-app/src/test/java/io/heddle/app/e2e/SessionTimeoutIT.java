package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** The session timeout of TLS in a process of its own, because the JDK reads the lifetime of its keys for tickets only once. */
@OwnProcesses(because = "the JDK reads the lifetime of its keys for tickets once per process")
@Tag("ci")
final class SessionTimeoutIT {
    private static final int TIMEOUT_SECONDS = 2;
    private static final int PATIENCE_MILLIS = 60_000;
    private static final byte[] PING = {0x10, 13, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 1, 'p', (byte) 0xC0, 0};
    private static final int ANSWER_BYTES = 6;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @ParameterizedTest
    @CsvSource({"openssl,TLSv1.2", "openssl,TLSv1.3", "jdk,TLSv1.2", "jdk,TLSv1.3"})
    void aSessionIsNotResumedAfterTwiceTheSessionTimeout(String provider, String protocol) throws Exception {
        TrialTls tls = new TrialTls(directory);
        List<String> further = new ArrayList<>(tls.settings());
        further.addAll(List.of(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.tls-port=0",
                "--heddle.mqtt.tls.provider=" + provider,
                "--heddle.mqtt.tls.protocols=" + protocol,
                "--heddle.mqtt.tls.reload-interval=100ms",
                "--heddle.mqtt.tls.session-timeout=" + TIMEOUT_SECONDS + "s"));
        try (BrokerProcess broker = BrokerProcess.withoutServers(BrokerUnderTest.settings(
                "session-timeout-" + UUID.randomUUID(), TestServers.shared(), further.toArray(String[]::new)))) {
            int port = broker.awaitReady().port("mqtts");
            // The first connections of a broker may take longer than the timeout.
            Soon.until(() -> {
                SSLContext resumed = tls.context();
                long first = created(resumed, port);
                return created(resumed, port) == first;
            });

            SSLContext old = tls.context();
            long created = created(old, port);
            long deadline = System.nanoTime() + (2 * TIMEOUT_SECONDS + 1) * 1_000_000_000L;
            // Other clients connect meanwhile, because keys are replaced when they are used.
            Soon.until(() -> {
                var _ = created(tls.context(), port);
                return System.nanoTime() > deadline;
            });
            assertThat(created(old, port)).isNotEqualTo(created);
        }
    }

    /** Returns the time of the first handshake of the session of a new connection. */
    private static long created(SSLContext context, int port) throws IOException {
        try (SSLSocket socket = (SSLSocket) context.getSocketFactory().createSocket(ListenerAddress.HOST, port)) {
            socket.setSoTimeout(PATIENCE_MILLIS);
            OutputStream out = socket.getOutputStream();
            out.write(PING);
            out.flush();
            // A ticket of TLS 1.3 arrives with the first bytes.
            assertThat(socket.getInputStream().readNBytes(ANSWER_BYTES)).hasSize(ANSWER_BYTES);
            return socket.getSession().getCreationTime();
        }
    }
}
