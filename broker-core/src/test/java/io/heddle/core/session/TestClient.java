package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.authentication.AuthExchange;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.testkit.RecordingConnection;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/**
 * A client under the test's control: the packets that it sends and receives.
 *
 * @param exchanges the exchange for each challenge before CONNACK
 * @param settle runs all tasks that follow from the client's action
 */
public record TestClient(
        RecordingConnection connection,
        List<AuthExchange> exchanges,
        List<ClientConnection> established,
        Runnable settle) {
    public ClientConnection connected() {
        if (established.isEmpty()) {
            throw new AssertionError("not connected: " + connection.sent());
        }
        return established.getFirst();
    }

    /** The same client, but the node only receives its packets and runs no resulting tasks. */
    public TestClient unsettled() {
        return new TestClient(connection, exchanges, established, () -> {});
    }

    // Packets sent.

    public void send(MqttPacket packet) {
        connected().receive(packet);
        settle.run();
    }

    /** The node learns that the network connection is closed. Runs no resulting tasks. */
    public void closed() {
        connected().onConnectionLost(DisconnectCause.CLOSED_BY_CLIENT);
    }

    /** Loses the network connection. */
    public void lose() {
        connection.lose();
        closed();
        settle.run();
    }

    /** Sends DISCONNECT; both sides close. */
    public void disconnect() {
        send(DisconnectPacket.of(ReasonCode.SUCCESS, null));
        closed();
        settle.run();
    }

    /** Ends the session with DISCONNECT; both sides close. */
    public void endSession() {
        send(new DisconnectPacket(ReasonCode.SUCCESS, 0L, null, List.of(), null));
        closed();
        settle.run();
    }

    public TestClient subscribe(QoS qos, String... filters) {
        send(new SubscribePacket(
                7,
                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER,
                List.of(),
                Arrays.stream(filters)
                        .map(filter -> new SubscriptionRequest(filter, qos, false, false, RetainHandling.SEND))
                        .toList()));
        return this;
    }

    public TestClient subscribe(SubscriptionRequest... requests) {
        send(new SubscribePacket(7, SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER, List.of(), List.of(requests)));
        return this;
    }

    public void publish(String topic, String payload) {
        publish(topic, payload, QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID);
    }

    public void publish(String topic, String payload, QoS qos, int packetId) {
        send(packet(topic, payload, qos, packetId, false, PublishProperties.NONE));
    }

    public void retain(String topic, String payload) {
        send(packet(topic, payload, QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID, true, PublishProperties.NONE));
    }

    public static PublishPacket packet(
            String topic, String payload, QoS qos, int packetId, boolean retain, PublishProperties properties) {
        return new PublishPacket(
                TopicName.parse(topic, 8),
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                retain,
                false,
                packetId,
                properties,
                List.of(),
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    }

    public void pubAck(int packetId) {
        send(new PubAckPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
    }

    public void pubRec(int packetId) {
        send(new PubRecPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
    }

    public void pubRel(int packetId) {
        send(new PubRelPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
    }

    public void pubComp(int packetId) {
        send(new PubCompPacket(packetId, ReasonCode.SUCCESS, null, List.of()));
    }

    /** The packet is answered with an error that closes the connection. */
    public void sendForbidden(MqttPacket packet, ReasonCode reason) {
        assertForbidden(() -> send(packet), reason);
    }

    static void assertForbidden(ThrowingCallable sending, ReasonCode reason) {
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(sending)
                .returns(reason, ProtocolException::reason);
    }

    // Packets received.

    public ConnAckPacket connAck() {
        return connection.sent(ConnAckPacket.class).getFirst();
    }

    public List<PublishPacket> messages() {
        return connection.sent(PublishPacket.class);
    }

    public List<String> payloads() {
        return messages().stream().map(TestClient::payload).toList();
    }

    public static String payload(PublishPacket publish) {
        return new String(publish.payload().array(), StandardCharsets.UTF_8);
    }

    public List<ReasonCode> subscribed() {
        return connection.sent(SubAckPacket.class).getLast().reasons();
    }

    public List<ReasonCode> disconnected() {
        return connection.sent(DisconnectPacket.class).stream()
                .map(DisconnectPacket::reason)
                .toList();
    }
}
