package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.testkit.RecordingSessions;
import io.netty.util.internal.PlatformDependent;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

/** Tests messages of nearly 2 MB to clients that read them, later or never. */
class LargePayloadsTest {
    private static final int CLIENTS = 20;
    private static final int FILLER_BYTES = 32_000;
    private static final int PAYLOAD_BYTES = 1_900_000;
    private static final ConnectionLimits LIMITS =
            new ConnectionLimits(32 * 1024, 64 * 1024, 4 << 20, 8 << 20, 256, ServerFixture.PATIENCE);
    // Topic "a" of a client of MQTT 3.1.1.
    private static final String HEAD = "30e3fb73000161";
    private static final String MESSAGE = HEAD + "00".repeat(PAYLOAD_BYTES);

    @AutoClose
    private final ServerFixture servers = new ServerFixture();

    private final MqttServer server = servers.start(settings(8 * PAYLOAD_BYTES));

    private static ServerSettings settings(long unsentOutputBytes) {
        return new ServerSettings(
                List.of(Listener.tcp("mqtt", ServerFixture.HOST, 0)),
                128,
                1_000,
                Duration.ofSeconds(10),
                Duration.ofSeconds(1),
                PacketLimits.DEFAULTS,
                1 << 20,
                unsentOutputBytes,
                LIMITS);
    }

    /** A client that has not read anything after CONNACK, so that its socket takes nothing more. */
    private static final class Client {
        private final LoopbackClient socket;
        private final RecordingSessions.Attempt session;
        private int unreadFillers;

        private Client(LoopbackClient socket, RecordingSessions.Attempt session) {
            this.socket = socket;
            this.session = session;
        }

        void fillSocket() {
            await().atMost(ServerFixture.PATIENCE)
                    .pollInterval(Duration.ofMillis(1))
                    .until(() -> ServerFixture.onLoop(session, connection -> {
                        if (connection.isWritable()) {
                            connection.send(ServerFixture.message(FILLER_BYTES));
                            unreadFillers++;
                        }
                        return !connection.isWritable();
                    }));
        }

        /** Reads the messages that filled the socket. */
        LoopbackClient reading() throws IOException {
            socket.read(unreadFillers * (FILLER_BYTES + 7));
            return socket;
        }
    }

    private Client connect() throws IOException {
        LoopbackClient socket = new LoopbackClient(ServerFixture.address(server), 4096);
        servers.closeLater(socket);
        assertThat(socket.send(GoldenPackets.connect(MqttVersion.V3_1_1)).read(4))
                .isEqualTo(ServerFixture.CONNACK_3);
        return new Client(socket, servers.sessions().attempts().getLast());
    }

    private Client connectAndFill() throws IOException {
        Client client = connect();
        client.fillSocket();
        return client;
    }

    private double unsent() {
        return servers.registry()
                .get("heddle.connections.unsent.payload.bytes")
                .gauge()
                .value();
    }

    private void awaitUnsent(double bytes) {
        await().atMost(ServerFixture.PATIENCE)
                .untilAsserted(() -> assertThat(unsent()).isEqualTo(bytes));
    }

    @Test
    void oneMessageToManyClientsThatDoNotReadTakesItsMemoryOnce() throws IOException {
        List<Client> clients = new ArrayList<>();
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(connectAndFill());
        }
        PublishPacket message = ServerFixture.message(PAYLOAD_BYTES);
        long directBefore = PlatformDependent.usedDirectMemory();

        Client first = clients.getFirst();
        ServerFixture.onLoop(first.session, any -> {
            clients.forEach(client -> client.session.connection().send(message));
            return true;
        });
        // The end of that turn.
        ServerFixture.onLoop(first.session, any -> true);

        assertThat(unsent()).isEqualTo(PAYLOAD_BYTES);
        assertThat(PlatformDependent.usedDirectMemory() - directBefore).isLessThan(CLIENTS * PAYLOAD_BYTES / 4L);
        for (Client client : clients) {
            assertThat(client.reading().read(MESSAGE.length() / 2)).isEqualTo(MESSAGE);
        }
        awaitUnsent(0);
    }

    @Test
    void packetsBehindALargePayloadFollowIt() throws IOException {
        Client client = connectAndFill();
        int writableBefore = client.session.writableCount();

        ServerFixture.onLoop(client.session, connection -> {
            connection.send(PingRespPacket.INSTANCE);
            connection.send(ServerFixture.message(PAYLOAD_BYTES));
            connection.send(PingRespPacket.INSTANCE);
            connection.send(ServerFixture.message(PAYLOAD_BYTES));
            connection.send(ServerFixture.message(3));
            return true;
        });

        LoopbackClient socket = client.reading();
        assertThat(socket.read(2)).isEqualTo("d000");
        assertThat(socket.read(MESSAGE.length() / 2)).isEqualTo(MESSAGE);
        assertThat(socket.read(2)).isEqualTo("d000");
        assertThat(socket.read(MESSAGE.length() / 2)).isEqualTo(MESSAGE);
        assertThat(socket.read(8)).isEqualTo("3006000161000000");
        await().atMost(ServerFixture.PATIENCE).until(() -> client.session.writableCount() > writableBefore);
        assertThat(ServerFixture.onLoop(client.session, connection -> connection.isWritable()))
                .isTrue();
        awaitUnsent(0);
    }

    @Test
    void aClientThatReadsIsWritableAgainAfterALargePayload() throws IOException {
        Client client = connect();
        int writableBefore = client.session.writableCount();

        ServerFixture.onLoop(client.session, connection -> connection.send(ServerFixture.message(PAYLOAD_BYTES)));

        assertThat(client.socket.read(MESSAGE.length() / 2)).isEqualTo(MESSAGE);
        await().atMost(ServerFixture.PATIENCE).until(() -> client.session.writableCount() > writableBefore);
        awaitUnsent(0);
    }

    @Test
    void withoutMemoryForALargePayloadThereIsNoRoomForIt() throws IOException {
        Client slow = connectAndFill();
        ServerFixture.onLoop(slow.session, connection -> connection.send(ServerFixture.message(PAYLOAD_BYTES)));
        BinaryData other = BinaryData.wrap(new byte[PAYLOAD_BYTES]);

        Client fast = connect();

        assertThat(ServerFixture.onLoop(fast.session, connection -> connection.hasRoomFor(other)))
                .isFalse();
        assertThat(ServerFixture.onLoop(fast.session, connection -> connection.hasRoomFor(BinaryData.EMPTY)))
                .isTrue();
        // A message that its session keeps anyway.
        ServerFixture.onLoop(fast.session, connection -> connection.send(ServerFixture.message(PAYLOAD_BYTES)));
        assertThat(fast.socket.read(MESSAGE.length() / 2)).isEqualTo(MESSAGE);
        awaitUnsent(PAYLOAD_BYTES);
    }

    @Test
    void theMemoryIsFreeWhenTheClientIsGone() throws IOException {
        Client client = connectAndFill();
        ServerFixture.onLoop(client.session, connection -> connection.send(ServerFixture.message(PAYLOAD_BYTES)));
        awaitUnsent(PAYLOAD_BYTES);

        client.socket.close();

        awaitUnsent(0);
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
    }

    @Test
    void aClosedConnectionStillSendsAllOfALargePayload() throws IOException {
        Client client = connectAndFill();

        ServerFixture.onLoop(client.session, connection -> {
            connection.send(ServerFixture.message(PAYLOAD_BYTES));
            connection.close();
            return true;
        });

        assertThat(client.reading().readToEnd()).isEqualTo(MESSAGE);
        awaitUnsent(0);
    }
}
