package io.heddle.core.operator.trace;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.List;
import org.assertj.core.api.InstanceOfAssertFactories;
import org.junit.jupiter.api.Test;

final class PacketValuesTest {
    private static final TopicName TOPIC = TopicName.parse("a/b", 8);
    private static final BinaryData SECRET = BinaryData.wrap("hunter2".getBytes(StandardCharsets.UTF_8));

    private static String described(MqttPacket packet) {
        return new PacketValues(false).of(packet, null).toMap().toString();
    }

    @Test
    void connectHasItsOptionsAndWillButNoSecrets() {
        ConnectPacket packet = new ConnectPacket(
                MqttVersion.V5,
                "c",
                true,
                30,
                new WillMessage(TOPIC, SECRET, QoS.AT_LEAST_ONCE, true, 5, PublishProperties.NONE),
                "u",
                SECRET,
                new ConnectProperties(60, 10, 4_294_967_295L, 0, false, true, List.of(), "SCRAM-SHA-256", SECRET));

        assertThat(described(packet))
                .isEqualTo(
                        "{packet=CONNECT, protocolVersion=5.0, cleanStart=true, keepAliveSeconds=30, hasPassword=true,"
                                + " will={topic=a/b, qos=1, retain=true, payloadBytes=7, delaySeconds=5},"
                                + " properties={sessionExpirySeconds=60, receiveMaximum=10, authenticationMethod=SCRAM-SHA-256}}");
    }

    @Test
    void connAckHasTheDecisionsOfTheServer() {
        ConnAckProperties none = ConnAckProperties.NONE;

        assertThat(described(new ConnAckPacket(true, ReasonCode.SUCCESS, none)))
                .isEqualTo("{packet=CONNACK, sessionPresent=true, reason=success}");
        assertThat(described(ConnAckPacket.refusal(ReasonCode.BANNED, "go away")))
                .isEqualTo("{packet=CONNACK, sessionPresent=false, reason=banned, properties={reasonString=go away}}");
    }

    @Test
    void acknowledgementsHaveTheirReason() {
        assertThat(described(new PubAckPacket(
                        7, ReasonCode.QUOTA_EXCEEDED, null, List.of(new UserProperty("name", "hunter2")))))
                .isEqualTo(
                        "{packet=PUBACK, packetId=7, reason=quota_exceeded, properties={userProperties=[{name=name}]}}");
    }

    @Test
    void subscriptionsHaveTheirFiltersAndAnswers() {
        SubscriptionRequest request =
                new SubscriptionRequest("a/#", QoS.EXACTLY_ONCE, true, false, RetainHandling.SEND);

        assertThat(described(new SubscribePacket(3, 9, List.of(), List.of(request))))
                .isEqualTo(
                        "{packet=SUBSCRIBE, packetId=3, filters=[{topicFilter=a/#, qos=2, noLocal=true}], filterCount=1,"
                                + " properties={subscriptionIdentifier=9}}");
        assertThat(described(new SubAckPacket(
                        3, null, List.of(), List.of(ReasonCode.GRANTED_QOS_1, ReasonCode.NOT_AUTHORIZED))))
                .isEqualTo("{packet=SUBACK, packetId=3, reasons=[granted_qos_1, not_authorized]}");
        assertThat(described(new UnsubscribePacket(4, List.of(), List.of("a/#"))))
                .isEqualTo("{packet=UNSUBSCRIBE, packetId=4, filters=[{topicFilter=a/#}], filterCount=1}");
        assertThat(described(new UnsubAckPacket(4, null, List.of(), List.of(ReasonCode.SUCCESS))))
                .isEqualTo("{packet=UNSUBACK, packetId=4, reasons=[success]}");
    }

    @Test
    void theOthersHaveNoSecretsEither() {
        assertThat(described(PingRespPacket.INSTANCE)).isEqualTo("{packet=PINGRESP}");
        assertThat(described(DisconnectPacket.of(ReasonCode.SERVER_BUSY, "later")))
                .isEqualTo("{packet=DISCONNECT, reason=server_busy, properties={reasonString=later}}");
        assertThat(described(new AuthPacket(ReasonCode.CONTINUE_AUTHENTICATION, "M", SECRET, null, List.of())))
                .isEqualTo("{packet=AUTH, reason=continue_authentication, properties={authenticationMethod=M}}");
    }

    @Test
    void longTextsAndListsAreCut() {
        String topic = "t".repeat(5_000);
        PublishPacket publish = new PublishPacket(
                TopicName.parse(topic, 8),
                0,
                QoS.AT_MOST_ONCE,
                false,
                false,
                0,
                PublishProperties.NONE,
                List.of(),
                BinaryData.EMPTY);

        assertThat(new PacketValues(false).of(publish, publish.topic()).toMap().get("topic"))
                .isEqualTo("t".repeat(1_000) + "...");
        UnsubscribePacket many = new UnsubscribePacket(1, List.of(), Collections.nCopies(1_000, "f"));
        assertThat(new PacketValues(false).of(many, null).toMap())
                .containsEntry("filterCount", 1_000L)
                .extracting("filters")
                .asInstanceOf(InstanceOfAssertFactories.LIST)
                .hasSize(32);
    }
}
