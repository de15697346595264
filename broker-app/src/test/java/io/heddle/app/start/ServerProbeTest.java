package io.heddle.app.start;

import static io.heddle.app.start.Finding.ANOTHER;
import static io.heddle.app.start.Finding.EXPECTED;
import static io.heddle.app.start.Finding.UNKNOWN;
import static io.heddle.app.start.Protocol.KAFKA;
import static io.heddle.app.start.Protocol.POSTGRESQL;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Real servers are asked in ServerProbeIT. */
final class ServerProbeTest {
    private static final Duration PATIENCE = Duration.ofMillis(200);
    private static final byte[] REDIS = "-ERR unknown command\r\n".getBytes(US_ASCII);
    private static final byte[] TLS_ALERT = {0x15, 3, 3, 0, 2, 2, 40};

    private static ServerProbe.Finding find(ServerProbe.Protocol protocol, FakeServer server) throws IOException {
        try (server) {
            return new ServerProbe(PATIENCE).find(protocol, server.address());
        }
    }

    private static FakeServer answering(byte @Nullable ... answer) throws IOException {
        return FakeServer.answering(FakeServer.Wait.NOT_AT_ALL, answer);
    }

    @Test
    void theProtocolIsKnownByItsFirstAnswer() throws Exception {
        assertThat(find(KAFKA, answering(new byte[] {0, 0, 0, 42, 0x68, 0x65, 0x64, 0x64, 0, 0})))
                .isEqualTo(EXPECTED);
        assertThat(find(POSTGRESQL, answering((byte) 'N'))).isEqualTo(EXPECTED);
        assertThat(find(POSTGRESQL, answering((byte) 'S'))).isEqualTo(EXPECTED);
        assertThat(find(ServerProbe.Protocol.REDIS, answering("$6\r\nheddle\r\n".getBytes(US_ASCII))))
                .isEqualTo(EXPECTED);
        assertThat(find(ServerProbe.Protocol.REDIS, FakeServer.answering(FakeServer.Wait.FOR_A_LINE, REDIS)))
                .isEqualTo(EXPECTED);
    }

    @Test
    void anotherServerIsKnownAlsoWhenItWaitsForTheEndOfALine() throws Exception {
        for (ServerProbe.Protocol protocol : List.of(KAFKA, POSTGRESQL)) {
            assertThat(find(protocol, FakeServer.http())).as("%s", protocol).isEqualTo(ANOTHER);
            assertThat(find(protocol, FakeServer.answering(FakeServer.Wait.FOR_A_LINE, REDIS)))
                    .as("%s", protocol)
                    .isEqualTo(ANOTHER);
            assertThat(find(protocol, answering(REDIS))).as("%s", protocol).isEqualTo(ANOTHER);
        }
    }

    @Test
    void aWebServerOrPostgresIsNotRedis() throws Exception {
        assertThat(find(ServerProbe.Protocol.REDIS, FakeServer.http())).isEqualTo(ANOTHER);
        assertThat(find(ServerProbe.Protocol.REDIS, answering((byte) 'N'))).isEqualTo(ANOTHER);
        assertThat(find(ServerProbe.Protocol.REDIS, FakeServer.answering(FakeServer.Wait.FOR_EVER, null)))
                .isEqualTo(UNKNOWN);
    }

    @Test
    void whoeverSaysNothingOrHangsUpMayBeTheRightOne() throws Exception {
        for (ServerProbe.Protocol protocol : List.of(KAFKA, POSTGRESQL)) {
            assertThat(find(protocol, FakeServer.answering(FakeServer.Wait.FOR_EVER, null)))
                    .as("%s", protocol)
                    .isEqualTo(UNKNOWN);
            assertThat(find(protocol, FakeServer.answering(FakeServer.Wait.NOT_AT_ALL, null)))
                    .as("%s", protocol)
                    .isEqualTo(UNKNOWN);
            assertThat(find(protocol, answering(TLS_ALERT))).as("%s", protocol).isEqualTo(UNKNOWN);
        }
    }

    @Test
    void whereNobodyListensNothingIsKnown() throws Exception {
        InetSocketAddress closed;
        try (FakeServer server = FakeServer.http()) {
            closed = server.address();
        }

        assertThat(new ServerProbe(PATIENCE).find(KAFKA, closed)).isEqualTo(UNKNOWN);
        assertThat(new ServerProbe(PATIENCE).find(POSTGRESQL, InetSocketAddress.createUnresolved("nosuch.invalid", 1)))
                .isEqualTo(UNKNOWN);
    }
}
