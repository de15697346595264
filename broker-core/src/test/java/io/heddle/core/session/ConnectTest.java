package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.testkit.Conformance;
import io.heddle.core.testkit.RecordingConnection;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** The answers to CONNECT, and the Keep Alive. */
final class ConnectTest {
    private final TestNode node = new TestNode();

    @Conformance({"MQTT-3.1.4-5", "MQTT-3.2.2-2"})
    @Test
    void connAckAnnouncesTheServersCapabilities() {
        ConnAckPacket connAck = node.connect("c").connAck();

        assertThat(connAck.reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(connAck.sessionPresent()).isFalse();
        assertThat(connAck.properties().maximumQos()).isEqualTo(QoS.EXACTLY_ONCE);
        assertThat(connAck.properties().retainAvailable()).isTrue();
        assertThat(connAck.properties().sharedSubscriptionAvailable()).isTrue();
        assertThat(connAck.properties().receiveMaximum()).isEqualTo(100);
        assertThat(connAck.properties().topicAliasMaximum()).isEqualTo(2);
        assertThat(connAck.properties().maximumPacketSize()).isEqualTo(65_536);
        assertThat(connAck.properties().sessionExpirySeconds()).isNull();
        assertThat(connAck.properties().serverKeepAliveSeconds()).isNull();
    }

    @Test
    void anExcessiveSessionExpiryIsLoweredAndAnnounced() {
        ConnAckPacket connAck =
                node.connect(new Connect("c").persistent(3_601).packet()).connAck();
        ConnAckPacket within =
                node.connect(new Connect("d").persistent(3_600).packet()).connAck();

        assertThat(connAck.properties().sessionExpirySeconds()).isEqualTo(3_600);
        assertThat(within.properties().sessionExpirySeconds()).isNull();
    }

    @Test
    void anExcessiveKeepAliveIsLoweredAndAnnounced() {
        SessionSettings settings = new SessionSettings(
                65_536,
                8,
                TopicRules.STANDARD,
                3,
                5,
                3_600,
                3_600,
                20,
                2,
                4,
                2,
                TestNode.QUEUE,
                50,
                20_000,
                TestNode.PATIENCE);
        TestNode strict = new TestNode(settings, 10_000);

        assertThat(strict.connect(new Connect("none").packet())
                        .connAck()
                        .properties()
                        .serverKeepAliveSeconds())
                .isEqualTo(20);
        assertThat(strict.connect(new Connect("long").keepAlive(21).packet())
                        .connAck()
                        .properties()
                        .serverKeepAliveSeconds())
                .isEqualTo(20);
        assertThat(strict.connect(new Connect("fine").keepAlive(19).packet())
                        .connAck()
                        .properties()
                        .serverKeepAliveSeconds())
                .isNull();
        TestClient old = strict.connect(
                new Connect("old").version(MqttVersion.V3_1_1).keepAlive(21).packet());
        strict.advance(Duration.ofSeconds(31));
        assertThat(old.connection().isOpen()).isTrue();
    }

    @Conformance({"MQTT-3.1.2-22", "MQTT-3.2.2-22", "MQTT-3.12.4-1"})
    @Test
    void aClientThatIsSilentForOneAndAHalfKeepAlivesIsDisconnected() {
        TestClient client = node.connect(new Connect("c").keepAlive(10).packet());

        node.advance(Duration.ofSeconds(14));
        client.send(PingReqPacket.INSTANCE);
        node.advance(Duration.ofMillis(14_999));
        assertThat(client.connection().isOpen()).isTrue();
        node.advance(Duration.ofMillis(1));

        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.connection().sent(PingRespPacket.class)).hasSize(1);
        assertThat(client.disconnected()).containsExactly(ReasonCode.KEEP_ALIVE_TIMEOUT);
        assertThat(node.count("heddle.sessions.keep.alive.timeouts")).isOne();
    }

    @Test
    void aClientPausedForItsOutputIsExcusedWhileItReads() {
        TestClient client = node.connect(new Connect("c").keepAlive(10).packet());
        client.connection().writable(false);
        client.connection().takesOutput(true);
        node.advance(Duration.ofMinutes(5));
        assertThat(client.connection().isOpen()).isTrue();

        client.connection().writable(true);
        client.connected().onWritable();
        node.advance(Duration.ofMillis(14_999));
        assertThat(client.connection().isOpen()).isTrue();
        node.advance(Duration.ofMillis(1));

        assertThat(client.connection().isOpen()).isFalse();
    }

    @Test
    void aClientThatReadsNothingIsNotExcused() {
        TestClient client = node.connect(new Connect("c").keepAlive(10).packet());
        TestClient silent = node.connect(new Connect("silent").keepAlive(0).packet());
        client.connection().writable(false);
        node.advance(Duration.ofSeconds(15));
        assertThat(client.disconnected()).containsExactly(ReasonCode.KEEP_ALIVE_TIMEOUT);

        node.advance(Duration.ofHours(1));
        assertThat(silent.connection().isOpen()).isTrue();
        silent.connection().writable(false);
        silent.connected().onUnwritable();
        node.advance(Duration.ofMinutes(15));
        assertThat(silent.connection().isOpen()).isFalse();
    }

    @Conformance(
            value = {"MQTT-3.1.3-6", "MQTT-3.1.3-7", "MQTT-3.2.2-16"},
            mqtt311 = {"MQTT-3.1.3-6", "MQTT-3.1.3-8", "MQTT-3.2.2-5"})
    @Test
    void anEmptyClientIdIsReplacedIfTheVersionAllowsIt() {
        TestClient v5 = node.connect("");
        TestClient v311 =
                node.connect(new Connect("").version(MqttVersion.V3_1_1).packet());
        TestClient v31 = node.connect(new Connect("").version(MqttVersion.V3_1).packet());
        TestClient persistent = node.connect(
                new Connect("").version(MqttVersion.V3_1_1).cleanStart(false).packet());

        assertThat(v5.connAck().properties().assignedClientId()).startsWith("heddle-");
        assertThat(v311.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(v31.connAck().reason()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(persistent.connAck().reason()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(persistent.connection().isOpen()).isFalse();
    }

    @Conformance({"MQTT-3.1.3-8", "MQTT-3.2.2-7"})
    @Test
    void noClientMayHaveTheIdUnderWhichAnAdministratorPublishes() {
        TestClient client = node.connect("$administrator/ada");

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(node.connect("administrator/ada").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Conformance({"MQTT-3.1.3-8", "MQTT-3.2.2-7"})
    @Test
    void aClientIdWithControlCharactersIsRefused() {
        TestClient client = node.connect("a\nb");

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(client.connection().isOpen()).isFalse();
    }

    @Conformance({"MQTT-3.1.4-2", "MQTT-3.2.2-7"})
    @Test
    void aRefusedClientGetsItsReasonAndIsClosed() {
        node.authenticator = _ -> null;

        TestClient client = node.connect("c");

        assertThat(client.established()).isEmpty();
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(node.sessions.find(new ClientId("c"))).isNull();
    }

    @Test
    void aClientAboveTheMaximumIsRefusedUnlessItHasASession() {
        // The only client of a node is never refused.
        node.connect("c0");
        for (int i = 1; i < 5; i++) {
            node.connect(new Connect("c" + i).persistent(60).packet()).lose();
        }

        assertThat(node.connect("sixth").connAck().reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED);
        assertThat(node.connect(new Connect("c1").persistent(60).packet())
                        .connAck()
                        .sessionPresent())
                .isTrue();
    }

    @Test
    void aClientThatCannotReceiveConnAckIsClosed() {
        RecordingConnection connection = new RecordingConnection(node.loop);
        connection.refusePackets();
        List<ClientConnection> established = new ArrayList<>();
        TestClient watcher = node.connect("watcher").subscribe(QoS.AT_MOST_ONCE, "wills");

        node.connectService.connect(
                connection, new Connect("c").keepAlive(10).will(0).packet(), _ -> {}, established::add);
        node.runAll();

        assertThat(established).isEmpty();
        assertThat(connection.isOpen()).isFalse();
        assertThat(node.sessions.find(new ClientId("c"))).isNull();
        assertThat(node.loop.timers()).isZero();
        assertThat(watcher.payloads()).isEmpty();
        assertThat(node.count("heddle.connects", "outcome", "packet_too_large")).isOne();
    }

    @Test
    void aConnectionLostBeforeConnAckLeavesNoState() {
        TestClient client = node.begin(node.loop, new Connect("c").packet());
        client.connection().lose();
        node.runAll();

        assertThat(client.established()).isEmpty();
        assertThat(node.sessions.find(new ClientId("c"))).isNull();
        assertThat(node.count("heddle.connects", "outcome", "gone")).isOne();
        assertThat(client.connection().isClosed())
                .as("nothing that has been received is kept")
                .isTrue();
    }

    @Conformance("MQTT-3.1.0-2")
    @Test
    void aSecondConnectAndAuthAreProtocolErrors() {
        TestClient client = node.connect("c");

        client.sendForbidden(new Connect("c").packet(), ReasonCode.PROTOCOL_ERROR);
        client.sendForbidden(
                new AuthPacket(ReasonCode.RE_AUTHENTICATE, null, null, null, List.of()), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void aPacketReceivedOnAnotherThreadThrows() {
        TestClient client = node.connect(node.otherLoop, new Connect("c").packet());
        node.otherLoop.leave();

        assertThatIllegalStateException().isThrownBy(() -> client.send(PingReqPacket.INSTANCE));
    }

    @Test
    void aLostConnectionLeavesNoState() {
        TestClient client = node.connect(new Connect("c").keepAlive(30).packet());
        client.subscribe(QoS.AT_MOST_ONCE, "a/b/c", "x");

        client.lose();

        assertThat(node.trie.size()).isZero();
        assertThat(node.trie.nodeCount()).isOne();
        assertThat(node.sessions.connectedCount()).isZero();
        assertThat(node.gauge("heddle.sessions")).isZero();
        // Other nodes are told after a while that the node has no subscriber any more.
        node.advance(Duration.ofSeconds(5));
        assertThat(node.loop.timers()).isZero();
    }
}
