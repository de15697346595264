package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.Connection;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.transport.testkit.RecordingSessions.Attempt;
import java.io.IOException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Clients that close the connection, or end their output, without waiting for answers. */
class EndedInputTest {
    private static final String CONNECT = "10 { <MQTT> 04 02 000A <c> }";
    private static final String PUBLISH = "30 { <a> '1' }";
    private static final String PINGREQ = "C000";
    private static final String DISCONNECT = "E000";

    @AutoClose
    private final ServerFixture servers = new ServerFixture();

    private Attempt attempt() {
        await().atMost(ServerFixture.PATIENCE)
                .until(() -> servers.sessions().attempts().size() == 1);
        return servers.sessions().only();
    }

    private static void accept(Attempt attempt) {
        attempt.connection().eventLoop().execute(attempt::accept);
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.listener.ServedClientsTest#transports")
    void packetsBehindConnectAreProcessedAlthoughTheClientHasClosed(Transport transport) throws IOException {
        servers.sessions().thatWait();
        MqttServer server = servers.start(ServerFixture.settings(), transport);
        servers.client(server).send(CONNECT + PUBLISH + DISCONNECT).close();
        Attempt attempt = attempt();
        if (transport != Transport.NIO) {
            // NIO notices the end when it reads again.
            await().atMost(ServerFixture.PATIENCE)
                    .until(() -> attempt.connection().isDraining());
        }

        accept(attempt);

        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(attempt.received())
                .extracting(each -> each.getClass().getSimpleName())
                .containsExactly("PublishPacket", "DisconnectPacket");
        assertThat(attempt.lostCount()).isOne();
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.listener.ServedClientsTest#transports")
    void aClientThatHasEndedItsOutputGetsItsAnswers(Transport transport) throws IOException {
        servers.sessions().thatAnswer(EndedInputTest::answerPing);
        MqttServer server = servers.start(ServerFixture.settings(), transport);
        LoopbackClient client =
                servers.client(server).send(CONNECT + PUBLISH + PINGREQ).endOutput();

        assertThat(client.readToEnd()).isEqualTo(ServerFixture.CONNACK_3 + "d000");
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(servers.sessions().only().received()).hasSize(2);
        assertThat(servers.sessions().only().lostCount()).isOne();
    }

    private static void answerPing(Connection connection, MqttPacket packet) {
        if (packet instanceof PingReqPacket) {
            connection.send(PingRespPacket.INSTANCE);
        }
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.listener.ServedClientsTest#transports")
    void aPingBeforeTheEndOfTheOutputIsAnswered(Transport transport) throws IOException {
        servers.sessions().thatAnswer(EndedInputTest::answerPing);
        MqttServer server = servers.start(ServerFixture.settings(), transport);
        LoopbackClient client = servers.client(server).send(CONNECT);
        assertThat(client.read(4)).isEqualTo(ServerFixture.CONNACK_3);

        client.send(PINGREQ).endOutput();

        assertThat(client.readToEnd()).isEqualTo("d000");
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
    }

    /** A half-closed socket that the client resets would keep the event loop busy. */
    @Test
    void aSocketIsNotKeptUntilAClientIsDecided() throws IOException {
        servers.sessions().thatWait();
        MqttServer server = servers.start(ServerFixture.settings());
        LoopbackClient client = servers.client(server).send(CONNECT + PUBLISH).endOutput();
        Attempt attempt = attempt();

        assertThat(client.readToEnd()).isEmpty();
        assertThat(attempt.connection().isGone()).isFalse();
        accept(attempt);

        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(attempt.received()).hasSize(1);
        assertThat(attempt.lostCount()).isOne();
    }

    @Test
    void aViolationBeforeTheEndOfTheOutputIsAnswered() throws IOException {
        servers.sessions().thatWait();
        MqttServer server = servers.start(ServerFixture.settings());
        LoopbackClient client = servers.client(server);
        client.send("10 { <MQTT> 05 02 000A {} <c> } F100").endOutput();
        accept(attempt());

        assertThat(client.readToEnd()).startsWith(ServerFixture.CONNACK_5 + "e0");
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(servers.sessions().only().lostCount()).isOne();
    }

    @Test
    void aRefusedClientThatHasClosedIsForgotten() throws IOException {
        servers.sessions().thatWait();
        MqttServer server = servers.start(ServerFixture.settings());
        servers.client(server).send(CONNECT + PUBLISH).close();
        Attempt attempt = attempt();

        attempt.connection().eventLoop().execute(() -> attempt.refuse(ReasonCode.NOT_AUTHORIZED));

        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(attempt.received()).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("io.heddle.transport.listener.ServedClientsTest#transports")
    void aClientThatClosesWithoutCompleteConnectIsForgotten(Transport transport) throws IOException {
        MqttServer server = servers.start(ServerFixture.settings(), transport);
        servers.client(server).send("10").endOutput();

        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(servers.count("heddle.connections.closed")).isOne();
    }

    @Test
    void aClientThatClosesBehindItsConnectIsGone() throws IOException {
        servers.sessions().thatWait();
        MqttServer server = servers.start(ServerFixture.settings(), Transport.AUTO);
        servers.client(server).send(CONNECT).close();
        Attempt attempt = attempt();
        if (Transport.EPOLL.isAvailable()) {
            await().atMost(ServerFixture.PATIENCE)
                    .until(() -> attempt.connection().isGone());
            await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        }
    }
}
