package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.TopicRules;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.testkit.RecordingWatcher;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

/** Sessions under the rules of an administrator. */
public final class RulesTest {
    private final TestNode node = new TestNode(
            settings(
                    "default deny",
                    "allow all # for user root",
                    "allow all own/${clientId}/# for everyone",
                    "allow publish alarms/# for group operators",
                    "allow publish sites/paris/# for attribute site=paris",
                    "allow publish lines/${attribute.line}/# for everyone",
                    "allow publish readings/+ qos 0,1 retain no for everyone",
                    "deny subscribe readings/secret for everyone",
                    "allow subscribe readings/+ for everyone"),
            1_000_000);
    private final TestClient root;

    RulesTest() {
        node.authenticator =
                shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()));
        root = node.connect(new Connect("root").userName("root").packet()).subscribe(QoS.AT_MOST_ONCE, "#");
    }

    public static SessionSettings settings(String... rules) {
        SessionSettings standard = TestNode.SETTINGS;
        return new SessionSettings(
                standard.maximumPacketSize(),
                standard.maximumTopicLevels(),
                new TopicRules(List.of(), new ActiveRules(read(rules))),
                10,
                standard.maximumSessions(),
                standard.maximumExpirySeconds(),
                standard.version3ExpirySeconds(),
                standard.maximumKeepAliveSeconds(),
                standard.receiveMaximum(),
                standard.maximumInFlight(),
                standard.topicAliasMaximum(),
                standard.queue(),
                standard.maximumUnreleased(),
                standard.maximumPersistentPerOwner(),
                standard.slowReaderPatience());
    }

    public static RuleSet read(String... rules) {
        try {
            return RuleSet.read(String.join("\n", rules));
        } catch (RuleSyntaxException wrong) {
            throw new IllegalArgumentException(wrong);
        }
    }

    @Test
    void aDeniedMessageIsRefusedAndCountedAtEachQos() {
        TestClient client = node.connect("c");

        client.publish("own/other/x", "0");
        client.publish("readings/a", "0");
        client.publish("own/other/x", "1", QoS.AT_LEAST_ONCE, 1);
        client.publish("readings/a", "1", QoS.AT_LEAST_ONCE, 2);
        client.publish("readings/a", "2", QoS.EXACTLY_ONCE, 3);
        client.publish("own/c/x", "2", QoS.EXACTLY_ONCE, 3);
        client.retain("readings/a", "retained");

        assertThat(client.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.NOT_AUTHORIZED, ReasonCode.SUCCESS);
        assertThat(client.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.NOT_AUTHORIZED, ReasonCode.SUCCESS);
        assertThat(root.payloads()).containsExactly("0", "1", "2");
        assertThat(node.dropped("not_authorized")).isEqualTo(4);
        assertThat(client.disconnected()).isEmpty();
    }

    @ParameterizedTest
    @EnumSource(
            value = MqttVersion.class,
            names = {"V3_1", "V3_1_1"})
    void aDeniedMessageOfAnOldClientIsAcknowledgedAndDropped(MqttVersion version) {
        TestClient client = node.connect(new Connect("c").version(version).packet());

        client.publish("own/other/x", "1", QoS.AT_LEAST_ONCE, 1);
        client.publish("own/other/x", "2", QoS.EXACTLY_ONCE, 2);

        assertThat(client.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.SUCCESS);
        assertThat(client.connection().sent(PubRecPacket.class))
                .extracting(PubRecPacket::reason)
                .containsExactly(ReasonCode.SUCCESS);
        assertThat(root.payloads()).isEmpty();
        assertThat(node.dropped("not_authorized")).isEqualTo(2);
    }

    @Test
    void aTopicAliasDoesNotHideTheTopic() {
        TestClient client = node.connect("c");

        for (String topic : new String[] {"own/other/x", ""}) {
            PublishPacket plain = TestClient.packet(
                    "x", "hidden", QoS.AT_MOST_ONCE, PublishPacket.NO_PACKET_ID, false, PublishProperties.NONE);
            client.send(new PublishPacket(
                    topic.isEmpty() ? null : TopicName.parse(topic, 8),
                    1,
                    plain.qos(),
                    false,
                    false,
                    plain.packetId(),
                    plain.properties(),
                    List.of(),
                    plain.payload()));
        }

        assertThat(root.payloads()).isEmpty();
        assertThat(node.dropped("not_authorized")).isEqualTo(2);
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void aSubscriptionIsGrantedOnlyIfEverythingThatItMatchesIsAllowed(long expirySeconds) {
        TestClient client =
                node.connect(new Connect("c").persistent(expirySeconds).packet());

        RecordingWatcher watcher = new RecordingWatcher();
        node.incidents.events().watch(watcher);
        client.subscribe(
                QoS.AT_MOST_ONCE,
                "own/c/#",
                "own/+/x",
                "#",
                "readings/+",
                "readings/a",
                "readings/secret",
                "$share/g/own/c/x",
                "$share/g/readings/+");
        assertThat(watcher.seen())
                .hasSize(6)
                .startsWith("denied SUBSCRIBE not_authorized c/null")
                .endsWith("SUBSCRIBED own/c/#:0,readings/a:0,$share/g/own/c/x:0 c/null");
        root.publish("readings/secret", "secret");
        root.publish("own/other/x", "private");
        root.publish("readings/a", "public");

        assertThat(client.subscribed())
                .containsExactly(
                        ReasonCode.SUCCESS,
                        ReasonCode.NOT_AUTHORIZED,
                        ReasonCode.NOT_AUTHORIZED,
                        ReasonCode.NOT_AUTHORIZED,
                        ReasonCode.SUCCESS,
                        ReasonCode.NOT_AUTHORIZED,
                        ReasonCode.SUCCESS,
                        ReasonCode.NOT_AUTHORIZED);
        assertThat(client.payloads()).containsExactly("public");
        assertThat(node.lines.all()).anyMatch(line -> line.contains("The rules deny a subscription"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a/b", "+", "#"})
    void aClientIdWithSeparatorsOrWildcardsOpensNothing(String clientId) {
        TestClient client = node.connect(clientId);

        client.subscribe(QoS.AT_MOST_ONCE, "own/+/#", "own/a/b/#", "own/#");

        assertThat(client.subscribed()).containsOnly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void groupsAndAttributesOfTheAuthenticatedClientSelectRules() {
        node.authenticator = shown -> new Accepted(
                new ClientIdentity(shown.clientId(), ClientType.DEVICE, null),
                Set.of("operators"),
                Map.of("site", "paris", "line", "7"),
                null);
        TestClient client = node.connect("c");

        client.publish("alarms/1", "group", QoS.AT_LEAST_ONCE, 1);
        client.publish("sites/paris/1", "attribute", QoS.AT_LEAST_ONCE, 2);
        client.publish("lines/7/1", "placeholder", QoS.AT_LEAST_ONCE, 3);
        client.publish("lines/8/1", "other", QoS.AT_LEAST_ONCE, 4);

        assertThat(root.payloads()).containsExactly("group", "attribute", "placeholder");
    }

    @Test
    void aWillThatTheRulesDenyIsRefusedAtConnect() {
        TestClient denied = node.connect(withWill("c", "own/other/x"));
        TestClient allowed = node.connect(withWill("d", "own/d/x"));

        assertThat(denied.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(allowed.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        allowed.lose();
        assertThat(root.payloads()).containsExactly("will");
    }

    private static ConnectPacket withWill(String clientId, String topic) {
        ConnectPacket packet = new Connect(clientId).packet();
        WillMessage will = new WillMessage(
                TopicName.parse(topic, 8),
                BinaryData.wrap(new byte[] {'w', 'i', 'l', 'l'}),
                QoS.AT_MOST_ONCE,
                false,
                0,
                PublishProperties.NONE);
        return new ConnectPacket(packet.version(), clientId, true, 0, will, null, null, packet.properties());
    }
}
