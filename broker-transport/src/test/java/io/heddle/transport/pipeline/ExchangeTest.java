package io.heddle.transport.pipeline;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.transport.connection.Sessions;
import io.heddle.transport.testkit.RecordingSessions;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** A connection whose client authenticates by an exchange of AUTH packets before CONNACK. */
final class ExchangeTest {
    /** The property 0x15 is the authentication method M. */
    private static final String CONNECT = "10 { <MQTT> 05 02 000A { 15 <M> } <c> } ";

    private static final String CHALLENGE = "f0061804150001" + "4d";
    private static final String ANSWER = "F0 { 18 { 15 <M> } } ";
    private static final String PING = "C000 ";

    private final RecordingSessions sessions = new RecordingSessions().thatWait();
    private final RecordingExchange exchange = new RecordingExchange();

    /** An exchange that records what it gets. */
    private static final class RecordingExchange implements Sessions.Session {
        private final List<MqttPacket> received = new ArrayList<>();
        private int lost;
        private @Nullable ProtocolException violation;

        @Override
        public boolean isConnected() {
            return false;
        }

        @Override
        public @Nullable String userName() {
            return null;
        }

        @Override
        public void receive(MqttPacket packet) {
            received.add(packet);
            if (violation != null) {
                throw violation;
            }
        }

        @Override
        public void onUnwritable() {}

        @Override
        public void onWritable() {}

        @Override
        public void onConnectionLost(DisconnectCause cause) {
            lost++;
        }
    }

    private Wire challenged() {
        Wire wire = new Wire(sessions);
        wire.receive(CONNECT);
        sessions.only().challenge(exchange);
        wire.channel.runPendingTasks();
        assertThat(wire.sent()).isEqualTo(CHALLENGE);
        return wire;
    }

    @Test
    void eachChallengeTakesOnePacketAndOthersWaitUndecoded() {
        try (Wire wire = new Wire(sessions)) {
            wire.receive(CONNECT + ANSWER + ANSWER + ANSWER + PING);
            assertThat(exchange.received).isEmpty();

            sessions.only().challenge(exchange);
            wire.channel.runPendingTasks();
            assertThat(exchange.received).hasSize(1).first().isInstanceOf(AuthPacket.class);
            assertThat(wire.channel.config().isAutoRead()).isFalse();
            sessions.only().challenge(exchange);
            wire.channel.runPendingTasks();
            assertThat(exchange.received).hasSize(2);
            sessions.only().accept();
            wire.channel.runPendingTasks();

            assertThat(exchange.received).hasSize(2);
            assertThat(sessions.only().received()).hasSize(2).last().isEqualTo(PingReqPacket.INSTANCE);
            assertThat(wire.channel.config().isAutoRead()).isTrue();
            assertThat(wire.sent()).isEqualTo(CHALLENGE + CHALLENGE + "2003000000");
            var _ = wire.channel.close();
            assertThat(sessions.only().lostCount()).isOne();
            assertThat(exchange.lost).isZero();
        }
    }

    @Test
    void aViolationInAnExchangeIsAnsweredWithConnAck() {
        try (Wire wire = challenged()) {
            exchange.violation = new ProtocolException(ReasonCode.PROTOCOL_ERROR, "no");
            wire.receive(PING);

            assertThat(wire.sent()).startsWith("20").contains("0082");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(exchange.lost).isOne();
        }
    }

    @Test
    void aStrangerMaySendNoLargePacket() {
        try (Wire wire = challenged()) {
            // Announces 400 bytes, which an accepted client may send.
            wire.receive("F0 9003");

            assertThat(wire.sent()).startsWith("20").contains("0095");
            assertThat(wire.channel.isActive()).isFalse();
            assertThat(exchange.received).isEmpty();
        }
    }

    @Test
    void aClientThatDoesNotAnswerInTimeIsClosed() {
        try (Wire wire = challenged()) {
            wire.advance(Wire.CONNECT_TIMEOUT.minusMillis(1));
            assertThat(wire.channel.isActive()).isTrue();

            wire.advance(Duration.ofMillis(1));

            assertThat(wire.channel.isActive()).isFalse();
            assertThat(exchange.lost).isOne();
            assertThat(wire.count("heddle.connect.timeouts")).isOne();
            assertThat(wire.log.only()).contains("did not answer a challenge");
        }
    }

    @Test
    void theTimeCountsFromTheOpeningOfTheConnectionAndTheDecisionHasItsOwn() {
        try (Wire wire = new Wire(sessions)) {
            wire.advance(Duration.ofSeconds(6));
            wire.receive(CONNECT);
            wire.advance(Wire.CONNECT_TIMEOUT);
            assertThat(wire.channel.isActive())
                    .as("the client waits for the broker")
                    .isTrue();

            sessions.only().challenge(exchange);
            wire.advance(Duration.ZERO);

            assertThat(wire.channel.isActive()).as("no time is left").isFalse();
        }
    }

    @Test
    void anAcceptedClientHasNoTimeout() {
        try (Wire wire = challenged()) {
            wire.receive(ANSWER);
            sessions.only().accept();
            wire.advance(Wire.CONNECT_TIMEOUT.multipliedBy(2));

            assertThat(wire.channel.isActive()).isTrue();
            assertThat(wire.registry
                            .get("heddle.connections.awaiting.connect")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(wire.count("heddle.connect.timeouts")).isZero();
        }
    }

    @Test
    void aClientInAnExchangeIsCountedAsNew() {
        try (Wire wire = challenged()) {
            assertThat(wire.registry
                            .get("heddle.connections.awaiting.connect")
                            .gauge()
                            .value())
                    .isOne();
            var _ = wire.channel.close();

            assertThat(exchange.lost).isOne();
            assertThat(wire.registry
                            .get("heddle.connections.awaiting.connect")
                            .gauge()
                            .value())
                    .isZero();
            assertThat(wire.registry.get("heddle.connections").gauge().value()).isZero();
        }
    }

    @Test
    void aConnectionLostWhileCoreDecidesReachesTheLastExchange() {
        try (Wire wire = challenged()) {
            wire.receive(ANSWER);
            var _ = wire.channel.close();
            assertThat(exchange.lost).isOne();

            sessions.only().challenge(exchange);
            assertThat(exchange.lost).isEqualTo(2);
            sessions.only().accept();

            assertThat(sessions.only().lostCount()).isOne();
        }
    }

    @Test
    void anAnswerInFrontOfTheEndOfTheStreamCounts() {
        try (Wire wire = new Wire(sessions)) {
            wire.receive(CONNECT + ANSWER + PING);
            wire.channel.pipeline().fireUserEventTriggered(ChannelInputShutdownEvent.INSTANCE);
            sessions.only().challenge(exchange);
            wire.channel.runPendingTasks();
            assertThat(exchange.received).hasSize(1);

            sessions.only().accept();
            wire.channel.runPendingTasks();

            assertThat(sessions.only().received()).containsExactly(PingReqPacket.INSTANCE);
            assertThat(sessions.only().lostCount()).isOne();
        }
    }
}
