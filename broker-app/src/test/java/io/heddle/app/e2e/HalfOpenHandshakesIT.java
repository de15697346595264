package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.testkit.TestServers;
import java.io.DataInputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import javax.net.ssl.SSLSocket;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * A client that exchanges messages over TLS while {@code -Dheddle.test.half-open} (500) other connections begin handshakes and never complete
 * them. Logs the times.
 */
@OwnProcesses(because = "half-open handshakes need file descriptors of their own")
@Tag("ci")
@Tag("alone")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class HalfOpenHandshakesIT {
    private static final Logger LOG = LoggerFactory.getLogger(HalfOpenHandshakesIT.class);
    private static final int HALF_OPEN = Integer.getInteger("heddle.test.half-open", 500);
    private static final int WARM_UP = 5_000;
    private static final int MESSAGES = 10_000;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final int CONNECTS = 100;
    /** Time that a busy machine may add to the slowest messages of a short measurement. */
    private static final double GRACE_MILLIS = 50;
    /** Half-open handshakes delay each measurement, a pause of the machine only one. */
    private static final int REPETITIONS = 2;

    private static final int PATIENCE_MILLIS = 60_000;
    private static final byte[] CONNECT = {0x10, 14, 0, 4, 'M', 'Q', 'T', 'T', 4, 2, 0, 60, 0, 2, 'h', 'a'};
    private static final int CONNACK_BYTES = 4;
    private static final int SUBACK_BYTES = 5;
    private static final byte[] SUBSCRIBE = {(byte) 0x82, 6, 0, 1, 0, 1, 't', 0};
    private static final byte[] PUBLISH = {0x30, 11, 0, 1, 't'};

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    /** In milliseconds. */
    private record Latencies(double p50, double p99) {
        static Latencies of(long[] nanos) {
            Arrays.sort(nanos);
            return new Latencies(nanos[nanos.length / 2] / 1e6, nanos[nanos.length * 99 / 100] / 1e6);
        }
    }

    /** With the default limits, 5,000 handshakes are above the bound and are closed and opened all the time; with the others, all stay open. */
    @ParameterizedTest(name = "at most {0} handshakes, each for at most {1}")
    @CsvSource({"1000,10s", "10000,4m"})
    void halfOpenHandshakesDoNotDelayOtherClients(int maximumHandshakes, String timeout) throws Exception {
        TrialTls tls = new TrialTls(directory);
        List<String> further = new ArrayList<>(tls.settings());
        further.addAll(List.of(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.mqtt.tls-port=0",
                "--heddle.mqtt.tls.maximum-handshakes=" + maximumHandshakes,
                "--heddle.mqtt.tls.handshake-timeout=" + timeout,
                "--heddle.mqtt.connect-timeout=" + timeout));
        try (BrokerProcess broker = BrokerProcess.withoutServers(BrokerUnderTest.settings(
                "half-open-" + UUID.randomUUID(), TestServers.shared(), further.toArray(String[]::new)))) {
            int port = broker.awaitReady().port("mqtts");
            try (SSLSocket client = connect(tls, port, 'a')) {
                subscribe(client);
                var _ = exchange(client, WARM_UP);
                Latencies before = exchange(client, MESSAGES);
                Latencies connectsBefore = connects(tls, port, 0);

                try (HalfOpenClients halfOpen = new HalfOpenClients(tls, port, HALF_OPEN)) {
                    Soon.until(() -> halfOpen.opened() >= HALF_OPEN);
                    double limit = Math.max(2 * before.p99(), before.p99() + GRACE_MILLIS);
                    Latencies during = exchange(client, MESSAGES);
                    for (int repetition = 0; repetition < REPETITIONS && during.p99() >= limit; repetition++) {
                        during = exchange(client, MESSAGES);
                    }
                    int open = halfOpen.open();
                    // At the bound, a new connection may be refused until a handshake has lasted for a tenth of its
                    // timeout.
                    Latencies connectsDuring = connects(tls, port, HALF_OPEN < maximumHandshakes ? 0 : CONNECTS);

                    LOG.info(
                            "{} half-open handshakes ({} open, {} opened, at most {}): messages {} ms before, {} ms"
                                    + " during; connects {} ms before, {} ms during",
                            HALF_OPEN,
                            open,
                            halfOpen.opened(),
                            maximumHandshakes,
                            before,
                            during,
                            connectsBefore,
                            connectsDuring);
                    assertThat(during.p99()).isLessThan(limit);
                }
            }
        }
    }

    private static SSLSocket connect(TrialTls tls, int port, char clientId) throws IOException {
        SSLSocket socket = (SSLSocket) tls.context().getSocketFactory().createSocket(ListenerAddress.HOST, port);
        boolean complete = false;
        try {
            socket.setSoTimeout(PATIENCE_MILLIS);
            socket.setTcpNoDelay(true);
            byte[] packet = CONNECT.clone();
            packet[packet.length - 1] = (byte) clientId;
            send(socket, packet);
            assertThat(new DataInputStream(socket.getInputStream()).readNBytes(CONNACK_BYTES))
                    .containsExactly(0x20, 2, 0, 0);
            complete = true;
            return socket;
        } finally {
            if (!complete) {
                socket.close();
            }
        }
    }

    private static void send(SSLSocket socket, byte[] packet) throws IOException {
        OutputStream out = socket.getOutputStream();
        out.write(packet);
        out.flush();
    }

    private static void subscribe(SSLSocket client) throws IOException {
        send(client, SUBSCRIBE);
        assertThat(client.getInputStream().readNBytes(SUBACK_BYTES)).startsWith((byte) 0x90);
    }

    /** Sends messages to itself, one in a millisecond; a message that is sent late because of others counts from its time. */
    private static Latencies exchange(SSLSocket client, int messages) throws IOException {
        long[] nanos = new long[messages];
        byte[] packet = Arrays.copyOf(PUBLISH, PUBLISH.length + Long.BYTES);
        long start = System.nanoTime();
        for (int i = 0; i < messages; i++) {
            long due = start + i * PAUSE_NANOS;
            while (System.nanoTime() < due) {
                LockSupport.parkNanos(due - System.nanoTime());
            }
            ByteBuffer.wrap(packet).putLong(PUBLISH.length, due);
            send(client, packet);
            assertThat(client.getInputStream().readNBytes(packet.length)).isEqualTo(packet);
            nanos[i] = System.nanoTime() - due;
        }
        return Latencies.of(nanos);
    }

    /** Connects one client after the other, of which so many may be refused. */
    private static Latencies connects(TrialTls tls, int port, int mayFail) throws IOException {
        List<Long> nanos = new ArrayList<>();
        int failed = 0;
        for (int i = 0; i < CONNECTS; i++) {
            long start = System.nanoTime();
            try (SSLSocket _ = connect(tls, port, 'b')) {
                nanos.add(System.nanoTime() - start);
            } catch (IOException refused) {
                failed++;
                if (failed > mayFail) {
                    throw refused;
                }
            }
        }
        LOG.info("{} of {} connections were refused", failed, CONNECTS);
        return nanos.isEmpty()
                ? new Latencies(Double.NaN, Double.NaN)
                : Latencies.of(nanos.stream().mapToLong(Long::longValue).toArray());
    }
}
