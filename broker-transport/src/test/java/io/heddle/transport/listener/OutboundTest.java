package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.testkit.RecordingSessions;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests output to clients that read quickly, slowly or not at all. */
class OutboundTest {
    private final ServerFixture servers = new ServerFixture();

    @AfterEach
    void close() throws Exception {
        servers.close();
    }

    @Test
    void responsesToManySmallPacketsAreWrittenTogether() throws IOException {
        servers.sessions().thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        MqttServer server = servers.start(ServerFixture.settings());
        LoopbackClient client = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        assertThat(client.read(4)).isEqualTo(ServerFixture.CONNACK_3);
        byte[] pings = new byte[2000];
        for (int i = 0; i < pings.length; i += 2) {
            pings[i] = (byte) 0xC0;
        }
        double before = servers.count("heddle.writes");

        client.send(pings);

        assertThat(client.read(2000)).isEqualTo("d000".repeat(1000));
        // One write for each read of the client's bytes; counted at the end of its turn.
        await().atMost(ServerFixture.PATIENCE)
                .untilAsserted(() ->
                        assertThat(servers.count("heddle.writes") - before).isBetween(1.0, 20.0));
    }

    @Test
    void messageIsEncodedInTheVersionOfEachClient() throws IOException {
        MqttServer server = servers.start(ServerFixture.settings());
        List<LoopbackClient> clients = new ArrayList<>();
        for (int i = 0; i < 9; i++) {
            LoopbackClient client = servers.client(server).send(GoldenPackets.connect(version(i)));
            client.read(version(i) == MqttVersion.V5 ? 5 : 4);
            clients.add(client);
        }
        PublishPacket message = ServerFixture.message(3);
        List<RecordingSessions.Attempt> sessions = servers.sessions().attempts();

        ServerFixture.onLoop(sessions.getFirst(), any -> {
            for (RecordingSessions.Attempt session : sessions) {
                for (int copy = 0; copy < 50; copy++) {
                    session.connection().send(message);
                }
            }
            return true;
        });

        for (int i = 0; i < clients.size(); i++) {
            String copy = version(i) == MqttVersion.V5 ? "300700016100000000" : "3006000161000000";
            assertThat(clients.get(i).read(50 * copy.length() / 2)).isEqualTo(copy.repeat(50));
        }
        // Two writes for each client: CONNACK and the messages.
        await().atMost(ServerFixture.PATIENCE)
                .untilAsserted(() -> assertThat(servers.count("heddle.writes")).isEqualTo(2 * clients.size()));
        assertThat(servers.count("heddle.packets.sent", "type", "publish")).isEqualTo(50 * clients.size());
    }

    private static MqttVersion version(int client) {
        return List.of(MqttVersion.values()).get(client % 3);
    }

    @Test
    void sessionIsNotifiedWhenAClientReadsAgain() throws IOException {
        MqttServer server = servers.start(ServerFixture.settings());
        LoopbackClient client = new LoopbackClient(ServerFixture.address(server), 4096);
        servers.closeLater(client);
        client.send(GoldenPackets.connect(MqttVersion.V5)).read(5);
        RecordingSessions.Attempt session = servers.sessions().only();
        AtomicInteger sent = new AtomicInteger();
        await().atMost(ServerFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> ServerFixture.onLoop(session, connection -> {
                    if (connection.isWritable()) {
                        connection.send(ServerFixture.message(32 * 1024));
                        sent.incrementAndGet();
                    }
                    return !connection.isWritable();
                }));
        int before = session.writableCount();

        client.read(sent.get() * (32 * 1024 + 8));

        await().atMost(ServerFixture.PATIENCE).until(() -> session.writableCount() > before);
    }

    @Test
    void outputOfAClientThatDoesNotReadIsBounded() throws IOException, InterruptedException {
        ConnectionLimits limits =
                new ConnectionLimits(16 * 1024, 32 * 1024, 128 * 1024, 128 * 1024, 256, Duration.ofMillis(200));
        MqttServer server = servers.start(ServerFixture.settings(limits));
        LoopbackClient client = new LoopbackClient(ServerFixture.address(server), 4096);
        servers.closeLater(client);
        client.send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(ServerFixture.CONNACK_5);
        RecordingSessions.Attempt session = servers.sessions().only();

        // Less than the limit in each turn; the system buffers some megabytes before the limit is reached.
        await().atMost(ServerFixture.PATIENCE)
                .pollInterval(Duration.ofMillis(1))
                .until(() -> ServerFixture.onLoop(session, connection -> {
                    boolean sent = true;
                    for (int i = 0; i < 10 && sent; i++) {
                        sent = connection.send(ServerFixture.message(8000));
                    }
                    if (sent) {
                        return false;
                    }
                    assertThat(connection.isWritable()).isFalse();
                    assertThat(connection.isOpen()).isTrue();
                    assertThat(connection.send(PingRespPacket.INSTANCE)).isFalse();
                    assertThat(connection.isOpen()).isFalse();
                    return true;
                }));
        assertThat(servers.count("heddle.packets.unsent", "reason", "slow_consumer"))
                .isEqualTo(1);
        await().atMost(ServerFixture.PATIENCE).until(() -> session.lostCount() == 1);
        assertThat(servers.count("heddle.connections.overflowed")).isEqualTo(1);
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
    }

    @Test
    void clientThatDoesNotReadItsOutputIsNotRead() throws Exception {
        ConnectionLimits limits =
                new ConnectionLimits(16 * 1024, 32 * 1024, 128 * 1024, 128 * 1024, 16, Duration.ofMillis(200));
        servers.sessions().thatAnswer((connection, packet) -> connection.send(ServerFixture.message(992)));
        MqttServer server = servers.start(ServerFixture.settings(limits));
        LoopbackClient client = new LoopbackClient(ServerFixture.address(server), 4096);
        servers.closeLater(client);
        client.send(GoldenPackets.connect(MqttVersion.V3_1_1)).read(4);
        RecordingSessions.Attempt session = servers.sessions().only();
        int pings = 20_000;

        client.send("C000".repeat(pings));
        await().atMost(ServerFixture.PATIENCE)
                .until(() -> ServerFixture.onLoop(session, connection -> !connection.isWritable()));

        int answered = session.received().size();
        assertThat(answered).isLessThan(pings);
        assertThat(ServerFixture.onLoop(session, connection -> connection.takesOutput()))
                .isTrue();
        assertThat(client.read(pings * 998)).hasSize(2 * pings * 998);
        assertThat(session.received()).hasSize(pings);
        assertThat(servers.count("heddle.connections.overflowed")).isZero();
    }

    @Test
    void closingAClientThatDoesNotReadTakesBoundedTime() throws IOException, InterruptedException {
        MqttServer server = servers.start(ServerFixture.settings(new ConnectionLimits(
                1024, 32 * 1024, 64 * 1024 * 1024, 64 * 1024 * 1024, 256, Duration.ofMillis(200))));
        LoopbackClient client = new LoopbackClient(ServerFixture.address(server), 4096);
        servers.closeLater(client);
        client.send(GoldenPackets.connect(MqttVersion.V5)).read(5);
        RecordingSessions.Attempt session = servers.sessions().only();

        ServerFixture.onLoop(session, connection -> {
            for (int i = 0; i < 40; i++) {
                connection.send(ServerFixture.message(500_000));
            }
            connection.close();
            return true;
        });

        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(session.lostCount()).isEqualTo(1);
    }

    @Test
    void sessionEndsBeforeTheClientClosesItsSide() throws IOException {
        ConnectionLimits patient = new ConnectionLimits(1024, 1024, 1024, 1024, 256, Duration.ofMinutes(5));
        MqttServer server = servers.start(ServerFixture.settings(patient));
        LoopbackClient client = servers.client(server).send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(ServerFixture.CONNACK_5);
        RecordingSessions.Attempt session = servers.sessions().only();

        session.connection().eventLoop().execute(session.connection()::close);

        await().atMost(ServerFixture.PATIENCE).until(() -> session.lostCount() == 1);
        assertThat(server.connectionCount()).isEqualTo(1);
        assertThat(client.readToEnd()).isEmpty();
        client.close();
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
        assertThat(session.lostCount()).isEqualTo(1);
    }
}
