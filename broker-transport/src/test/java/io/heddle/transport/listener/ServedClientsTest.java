package io.heddle.transport.listener;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.testkit.Conformance;
import io.heddle.transport.codec.GoldenPackets;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.connection.ConnectionLimits;
import io.heddle.transport.testkit.RecordingSessions;
import io.netty.channel.epoll.Epoll;
import io.netty.channel.uring.IoUring;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class ServedClientsTest {
    @AutoClose
    private final ServerFixture servers = new ServerFixture();

    static Stream<Transport> transports() {
        return Stream.of(Transport.NIO, Transport.EPOLL, Transport.IO_URING).filter(transport -> switch (transport) {
            case AUTO, NIO -> true;
            case EPOLL -> Epoll.isAvailable();
            case IO_URING -> IoUring.isAvailable();
        });
    }

    @Conformance(value = "MQTT-4.2-1", mqtt311 = "MQTT-7.1.1-1")
    @ParameterizedTest
    @MethodSource("transports")
    void clientsOfEachVersionAreServedOnEachTransport(Transport transport) throws IOException {
        servers.sessions().thatAnswer((connection, packet) -> connection.send(PingRespPacket.INSTANCE));
        MqttServer server = servers.start(ServerFixture.settings(), transport);
        for (MqttVersion version : MqttVersion.values()) {
            LoopbackClient client = servers.client(server).send(GoldenPackets.connect(version));
            assertThat(client.read(version == MqttVersion.V5 ? 5 : 4))
                    .isEqualTo(version == MqttVersion.V5 ? ServerFixture.CONNACK_5 : ServerFixture.CONNACK_3);
            assertThat(client.send("C000").read(2)).isEqualTo("d000");
        }
        assertThat(server.connectionCount()).isEqualTo(3);
        assertThat(servers.registry().get("heddle.connections").gauge().value()).isEqualTo(3);
    }

    @Conformance(mqtt311 = "MQTT-3.2.0-1")
    @Test
    void packetsBehindConnectAreHandledInOrderOnceTheSessionExists() throws IOException {
        servers.sessions().thatWait();
        MqttServer server = servers.start(ServerFixture.settings());
        LoopbackClient client = servers.client(server);
        client.send("10 { <MQTT> 04 02 000A <c> } 30 { <a> '1' } 30 { <a> '2' } C000");
        await().atMost(ServerFixture.PATIENCE)
                .until(() -> servers.sessions().attempts().size() == 1);
        client.send("30 { <a> '3' }");
        RecordingSessions.Attempt attempt = servers.sessions().only();
        assertThat(attempt.received()).isEmpty();

        attempt.connection().eventLoop().execute(attempt::accept);

        assertThat(client.read(4)).isEqualTo(ServerFixture.CONNACK_3);
        await().atMost(ServerFixture.PATIENCE).until(() -> attempt.received().size() == 4);
        assertThat(attempt.received().stream().map(ServedClientsTest::payload)).containsExactly("1", "2", "none", "3");
    }

    @Test
    void connectionWithoutConnectIsClosed() throws IOException {
        MqttServer server = servers.start(new ServerSettings(
                List.of(Listener.tcp("mqtt", ServerFixture.HOST, 0)),
                16,
                10,
                Duration.ofMillis(500),
                Duration.ofSeconds(1),
                PacketLimits.DEFAULTS,
                1 << 20,
                1 << 20,
                ConnectionLimits.DEFAULTS));

        assertThat(servers.client(server).send("10 0F 00").readToEnd()).isEmpty();

        await().atMost(ServerFixture.PATIENCE).until(() -> servers.count("heddle.connect.timeouts") == 1);
        await().atMost(ServerFixture.PATIENCE).until(() -> server.connectionCount() == 0);
    }

    @Test
    void httpOnThePortIsClosedWithoutAnAnswer() throws IOException {
        MqttServer server = servers.start(ServerFixture.settings());

        assertThat(servers.client(server)
                        .send("'GET / HTTP/1.1' 0D0A 'Host: x' 0D0A 0D0A")
                        .readToEnd())
                .isEmpty();

        assertThat(servers.count("heddle.protocol.errors", "reason", "protocol_error"))
                .isEqualTo(1);
        assertThat(servers.sessions().attempts()).isEmpty();
    }

    @Test
    void oversizePacketIsAnsweredWhileTheClientIsStillSendingIt() throws IOException {
        // A client that does not read the answer in time does not receive it.
        ConnectionLimits patient =
                new ConnectionLimits(16 * 1024, 32 * 1024, 128 * 1024, 128 * 1024, 256, Duration.ofMinutes(1));
        MqttServer server = servers.start(ServerFixture.settings(patient));
        LoopbackClient client = servers.client(server).send(GoldenPackets.connect(MqttVersion.V5));
        assertThat(client.read(5)).isEqualTo(ServerFixture.CONNACK_5);
        client.send("30 FF FF FF 7F 0001 61 00").send(new byte[300_000]);

        assertThat(client.readToEnd()).startsWith("e0").contains("95");
        await().atMost(ServerFixture.PATIENCE)
                .until(() -> servers.sessions().only().lostCount() == 1);
        assertThat(servers.count("heddle.protocol.errors", "reason", "packet_too_large"))
                .isEqualTo(1);
    }

    @Test
    void clientWithManySmallPacketsDoesNotDelayOthersOfItsEventLoop() throws IOException {
        int flood = 5_000;
        ManyPackets many = new ManyPackets();
        servers.sessions().thatAnswer((_, packet) -> many.received(packet));
        MqttServer server = servers.start(ServerFixture.settings());
        LoopbackClient flooding = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        LoopbackClient other = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        flooding.read(4);
        other.read(4);

        flooding.send("C000".repeat(flood));
        many.publishFrom(other);

        many.awaitHandled(flood);
        assertThat(many.handledBeforeTheOther()).isBetween(1, 4 * ConnectionLimits.DEFAULTS.packetsPerTurn());
    }

    @Test
    void clientsWithManySubscriptionsDoNotDelayOthersOfTheirEventLoop() throws IOException {
        int subscribers = 20;
        ManyPackets many = new ManyPackets();
        servers.sessions().thatAnswer((_, packet) -> {
            many.received(packet);
            if (packet instanceof SubscribePacket) {
                work(Duration.ofMillis(5));
            }
        });
        MqttServer server = servers.start(ServerFixture.settings());
        List<LoopbackClient> subscribing = new ArrayList<>();
        for (int i = 0; i < subscribers; i++) {
            subscribing.add(servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1)));
            subscribing.getLast().read(4);
        }
        LoopbackClient other = servers.client(server).send(GoldenPackets.connect(MqttVersion.V3_1_1));
        other.read(4);

        for (LoopbackClient subscriber : subscribing) {
            subscriber.send("82 { 0001 <" + "a".repeat(1_100) + "> 00 }");
        }
        many.publishFrom(other);

        many.awaitHandled(subscribers);
        assertThat(many.handledBeforeTheOther()).isBetween(1, subscribers / 4);
    }

    private static void work(Duration time) {
        long begin = System.nanoTime();
        while (System.nanoTime() - begin < time.toNanos()) {
            Thread.onSpinWait();
        }
    }

    /** Blocks the event loop at the first packet of a busy client until another client has sent a PUBLISH. */
    private static final class ManyPackets {
        private final CountDownLatch otherHasSent = new CountDownLatch(1);
        private final AtomicInteger handled = new AtomicInteger();
        private final AtomicInteger handledBeforeTheOther = new AtomicInteger(-1);

        void received(MqttPacket packet) {
            if (packet instanceof PublishPacket) {
                handledBeforeTheOther.set(handled.get());
            } else if (handled.incrementAndGet() == 1) {
                awaitOnEventLoop(otherHasSent);
            }
        }

        void publishFrom(LoopbackClient other) throws IOException {
            awaitHandled(1);
            other.send("30 { <a> '1' }");
            otherHasSent.countDown();
        }

        void awaitHandled(int count) {
            await().atMost(ServerFixture.PATIENCE).until(() -> handled.get() == count);
        }

        int handledBeforeTheOther() {
            return handledBeforeTheOther.get();
        }
    }

    private static void awaitOnEventLoop(CountDownLatch latch) {
        try {
            latch.await();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    private static String payload(MqttPacket packet) {
        return packet instanceof PublishPacket publish
                ? new String(publish.payload().array(), java.nio.charset.StandardCharsets.UTF_8)
                : "none";
    }
}
