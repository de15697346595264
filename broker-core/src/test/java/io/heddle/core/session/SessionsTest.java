package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.Authentication;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.delivery.Dispatcher;
import io.heddle.core.delivery.direct.DirectDelivery;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.publish.PublishService;
import io.heddle.core.routing.Router;
import io.heddle.core.subscription.SubscriptionTrie;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingConnection;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** CONNECT, SUBSCRIBE and PUBLISH through all of core, on event loops that the test drives. */
final class SessionsTest {
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final SubscriptionTrie trie = new SubscriptionTrie();
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final ManualEventLoop otherLoop = new ManualEventLoop(1);
    private Authenticator authenticator = new AnonymousAuthenticator(() -> true, List.of());
    private final SessionSettings settings = new SessionSettings(65_536, 8, 3);
    private final SessionMetrics sessionMetrics = new SessionMetrics(metrics);
    private final ConnectedClients connectedClients = new ConnectedClients(sessionMetrics);
    private final ConnectService connectService = new ConnectService(
            new Authentication(List.of(shown -> authenticator.authenticate(shown)), Runnable::run, 10, metrics),
            connectedClients,
            new SubscribeService(trie, settings, sessionMetrics),
            new PublishService(new Router(trie), new Dispatcher(new DirectDelivery(2, 1 << 16, metrics)), metrics),
            new SteadyClock(InstantSource.system(), System::nanoTime),
            settings,
            sessionMetrics);

    /** A client and what it was sent. */
    private record Client(
            RecordingConnection connection, @Nullable ClientSession session) {
        ClientSession established() {
            if (session == null) {
                throw new AssertionError("not connected: " + connection.sent());
            }
            return session;
        }

        ReasonCode connectReason() {
            return connection.sent(ConnAckPacket.class).getFirst().reason();
        }

        List<String> payloads() {
            return connection.sent(PublishPacket.class).stream()
                    .map(publish -> new String(publish.payload().array(), StandardCharsets.UTF_8))
                    .toList();
        }
    }

    private Client connect(ManualEventLoop on, ConnectPacket packet) {
        RecordingConnection connection = new RecordingConnection(on);
        List<ClientSession> established = new ArrayList<>();
        connectService.connect(connection, packet, established::add);
        on.runTasks();
        return new Client(connection, established.isEmpty() ? null : established.getFirst());
    }

    private Client connect(String clientId) {
        return connect(loop, connectPacket(MqttVersion.V5, clientId, 0, null));
    }

    private static ConnectPacket connectPacket(
            MqttVersion version, String clientId, int keepAliveSeconds, @Nullable WillMessage will) {
        return new ConnectPacket(version, clientId, true, keepAliveSeconds, will, null, null, ConnectProperties.NONE);
    }

    private static SubscribePacket subscribe(String... filters) {
        return new SubscribePacket(
                7,
                0,
                List.of(),
                Arrays.stream(filters)
                        .map(filter ->
                                new SubscriptionRequest(filter, QoS.EXACTLY_ONCE, false, false, RetainHandling.SEND))
                        .toList());
    }

    private static PublishPacket publish(String topic, String payload, QoS qos, boolean retain) {
        return new PublishPacket(
                TopicName.parse(topic, 8),
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                retain,
                false,
                qos == QoS.AT_MOST_ONCE ? 0 : 1,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)));
    }

    private static PublishPacket publish(String topic, String payload) {
        return publish(topic, payload, QoS.AT_MOST_ONCE, false);
    }

    private double count(String name, String... tags) {
        return metrics.get(name).tags(tags).counter().count();
    }

    @Test
    void aMessageReachesTheSubscribersOfItsTopicAndNobodyElse() {
        Client subscriber = connect("subscriber");
        Client stranger = connect("stranger");
        Client publisher = connect("publisher");
        subscriber.established().receive(subscribe("a/+"));
        stranger.established().receive(subscribe("b/#"));

        publisher.established().receive(publish("a/1", "hello"));

        assertThat(subscriber.connection().sent(SubAckPacket.class).getFirst().reasons())
                .containsExactly(ReasonCode.SUCCESS);
        assertThat(subscriber.payloads()).containsExactly("hello");
        assertThat(stranger.payloads()).isEmpty();
        assertThat(count("heddle.messages.delivered")).isOne();
    }

    @Test
    void overlappingSubscriptionsDeliverOneCopyWithAllIdentifiers() {
        Client subscriber = connect("subscriber");
        for (int id = 1; id <= 3; id++) {
            String filter = List.of("a/b", "a/+", "#").get(id - 1);
            subscriber
                    .established()
                    .receive(new SubscribePacket(
                            id,
                            id,
                            List.of(),
                            List.of(new SubscriptionRequest(
                                    filter, QoS.AT_MOST_ONCE, false, false, RetainHandling.SEND))));
        }

        connect("publisher").established().receive(publish("a/b", "once"));

        List<PublishPacket> got = subscriber.connection().sent(PublishPacket.class);
        assertThat(got).hasSize(1);
        assertThat(got.getFirst().subscriptionIdentifiers()).containsExactlyInAnyOrder(1, 2, 3);
    }

    @Test
    void noLocalKeepsAClientsOwnMessagesFromIt() {
        Client client = connect("c");
        client.established()
                .receive(new SubscribePacket(
                        1,
                        0,
                        List.of(),
                        List.of(new SubscriptionRequest("t", QoS.AT_MOST_ONCE, true, false, RetainHandling.SEND))));

        client.established().receive(publish("t", "own"));
        connect("other").established().receive(publish("t", "other's"));

        assertThat(client.payloads()).containsExactly("other's");
    }

    @Test
    void subscribersOnAnotherEventLoopAreReachedByOneTaskOnIt() {
        Client first = connect(otherLoop, connectPacket(MqttVersion.V5, "first", 0, null));
        Client second = connect(otherLoop, connectPacket(MqttVersion.V3_1_1, "second", 0, null));
        first.established().receive(subscribe("t"));
        second.established().receive(subscribe("t"));
        Client publisher = connect("publisher");
        otherLoop.leave();

        publisher.established().receive(publish("t", "x"));

        assertThat(first.payloads()).isEmpty();
        assertThat(otherLoop.runTasks()).isOne();
        assertThat(first.payloads()).containsExactly("x");
        assertThat(second.payloads()).containsExactly("x");
    }

    @Test
    void whatWaitsForAnotherEventLoopIsBoundedAndWhatIsAboveIsCounted() {
        Client subscriber = connect(otherLoop, connectPacket(MqttVersion.V5, "subscriber", 0, null));
        subscriber.established().receive(subscribe("t"));
        Client publisher = connect("publisher");
        otherLoop.leave();
        String payload = "x".repeat(10_000);

        for (int i = 0; i < 20; i++) {
            publisher.established().receive(publish("t", payload));
        }

        assertThat(count("heddle.messages.dropped", "reason", "event_loop_overloaded"))
                .isEqualTo(13);
        otherLoop.runTasks();
        assertThat(subscriber.payloads()).hasSize(7);
        assertThat(metrics.get("heddle.delivery.waiting.bytes")
                        .tags("loop", "1")
                        .gauge()
                        .value())
                .isZero();
        publisher.established().receive(publish("t", "again"));
        otherLoop.runTasks();
        assertThat(subscriber.payloads()).last().isEqualTo("again");
    }

    @Test
    void aClientThatTakesNoPacketAsLargeAsConnAckIsClosed() {
        RecordingConnection connection = new RecordingConnection(loop);
        connection.refusePackets();
        List<ClientSession> established = new ArrayList<>();

        connectService.connect(connection, connectPacket(MqttVersion.V5, "c", 10, null), established::add);
        loop.runTasks();

        assertThat(established).isEmpty();
        assertThat(connection.isOpen()).isFalse();
        assertThat(connectedClients.count()).isZero();
        assertThat(loop.timers()).isZero();
        assertThat(count("heddle.connects", "outcome", "packet_too_large")).isOne();
    }

    @Test
    void aSessionRefusesToBeUsedFromAnotherThread() {
        Client client = connect(otherLoop, connectPacket(MqttVersion.V5, "c", 0, null));
        otherLoop.leave();

        assertThatIllegalStateException().isThrownBy(() -> client.established().receive(PingReqPacket.INSTANCE));
    }

    @Test
    void unsubscribingEndsDeliveryAndSaysWhatDidNotExist() {
        Client subscriber = connect("subscriber");
        subscriber.established().receive(subscribe("t"));

        subscriber.established().receive(new UnsubscribePacket(8, List.of(), List.of("t", "never")));
        connect("publisher").established().receive(publish("t", "late"));

        assertThat(subscriber.connection().sent(UnsubAckPacket.class).getFirst().reasons())
                .containsExactly(ReasonCode.SUCCESS, ReasonCode.NO_SUBSCRIPTION_EXISTED);
        assertThat(subscriber.payloads()).isEmpty();
        assertThat(count("heddle.messages.unmatched")).isOne();
    }

    @Test
    void eachFilterOfASubscribeIsAnsweredInItsPlace() {
        Client client = connect("c");

        client.established().receive(subscribe("a", "b/#/c", "$share/g/t", "b", "c", "d", "a"));

        assertThat(client.connection().sent(SubAckPacket.class).getFirst().reasons())
                .containsExactly(
                        ReasonCode.SUCCESS,
                        ReasonCode.TOPIC_FILTER_INVALID,
                        ReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED,
                        ReasonCode.SUCCESS,
                        ReasonCode.SUCCESS,
                        ReasonCode.QUOTA_EXCEEDED,
                        ReasonCode.SUCCESS);
    }

    @Test
    void aSecondConnectionWithTheSameClientIdTakesOver() {
        Client old = connect("same");
        old.established().receive(subscribe("t"));

        Client fresh = connect(otherLoop, connectPacket(MqttVersion.V5, "same", 0, null));
        loop.runTasks();

        assertThat(old.connection().sent(DisconnectPacket.class))
                .extracting(DisconnectPacket::reason)
                .containsExactly(ReasonCode.SESSION_TAKEN_OVER);
        assertThat(old.connection().isOpen()).isFalse();
        old.established().connectionLost();
        assertThat(fresh.connection().isOpen()).isTrue();
        assertThat(connectedClients.all()).containsExactly(fresh.session());
    }

    @Test
    void aLostConnectionLeavesNothingBehind() {
        Client client = connect(loop, connectPacket(MqttVersion.V5, "c", 30, null));
        client.established().receive(subscribe("a/b/c", "x"));

        client.established().connectionLost();

        assertThat(trie.size()).isZero();
        assertThat(trie.nodeCount()).isOne();
        assertThat(connectedClients.count()).isZero();
        assertThat(loop.timers()).isZero();
    }

    @Test
    void aClientThatIsSilentForOneAndAHalfKeepAlivesIsDisconnected() {
        Client client = connect(loop, connectPacket(MqttVersion.V5, "c", 10, null));

        loop.advance(Duration.ofSeconds(14));
        client.established().receive(PingReqPacket.INSTANCE);
        loop.advance(Duration.ofMillis(14_999));
        assertThat(client.connection().isOpen()).isTrue();
        loop.advance(Duration.ofMillis(1));

        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.connection().sent(PingRespPacket.class)).hasSize(1);
        assertThat(client.connection().sent(DisconnectPacket.class))
                .extracting(DisconnectPacket::reason)
                .containsExactly(ReasonCode.KEEP_ALIVE_TIMEOUT);
        assertThat(count("heddle.sessions.keep.alive.timeouts")).isOne();
    }

    @Test
    void aWillIsPublishedWhenTheConnectionIsLostButNotAfterANormalDisconnect() {
        WillMessage will = new WillMessage(
                TopicName.parse("wills", 8),
                BinaryData.wrap("gone".getBytes(StandardCharsets.UTF_8)),
                QoS.AT_MOST_ONCE,
                false,
                0,
                PublishProperties.NONE);
        Client watcher = connect("watcher");
        watcher.established().receive(subscribe("wills"));
        Client lost = connect(loop, connectPacket(MqttVersion.V3_1_1, "lost", 0, will));
        Client polite = connect(loop, connectPacket(MqttVersion.V3_1_1, "polite", 0, will));

        lost.established().connectionLost();
        polite.established().receive(DisconnectPacket.of(ReasonCode.SUCCESS, null));
        polite.established().connectionLost();

        assertThat(watcher.payloads()).containsExactly("gone");
        assertThat(count("heddle.wills.published")).isOne();
    }

    @Test
    void whatThisServerDoesNotOfferIsAnnouncedAndRefused() {
        Client client = connect("c");
        ConnAckPacket connAck = client.connection().sent(ConnAckPacket.class).getFirst();

        assertThat(connAck.properties().maximumQos()).isEqualTo(QoS.AT_MOST_ONCE);
        assertThat(connAck.properties().retainAvailable()).isFalse();
        assertThat(connAck.properties().sharedSubscriptionAvailable()).isFalse();
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> client.established().receive(publish("t", "x", QoS.AT_LEAST_ONCE, false)))
                .returns(ReasonCode.QOS_NOT_SUPPORTED, ProtocolException::reason);
        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> client.established().receive(publish("t", "x", QoS.AT_MOST_ONCE, true)))
                .returns(ReasonCode.RETAIN_NOT_SUPPORTED, ProtocolException::reason);
    }

    @Test
    void aSecondConnectIsAProtocolError() {
        Client client = connect("c");

        assertThatExceptionOfType(ProtocolException.class)
                .isThrownBy(() -> client.established().receive(connectPacket(MqttVersion.V5, "c", 0, null)))
                .returns(ReasonCode.PROTOCOL_ERROR, ProtocolException::reason);
    }

    @Test
    void aReaderThatDoesNotReadLosesMessagesAndEachIsCounted() {
        Client slow = connect("slow");
        slow.established().receive(subscribe("t"));
        Client publisher = connect("publisher");

        slow.connection().writable(false);
        publisher.established().receive(publish("t", "lost"));
        slow.connection().writable(true);
        publisher.established().receive(publish("t", "read"));
        slow.connection().refusePackets();
        publisher.established().receive(publish("t", "too large"));

        assertThat(slow.payloads()).containsExactly("read");
        assertThat(count("heddle.messages.dropped", "reason", "slow_consumer")).isOne();
        assertThat(count("heddle.messages.dropped", "reason", "packet_too_large"))
                .isOne();
        assertThat(count("heddle.messages.delivered")).isOne();
        assertThat(count("heddle.messages.received")).isEqualTo(3);
    }

    @Test
    void clientsDoNotPublishToTheServersOwnTopics() {
        Client client = connect("c");
        client.established().receive(subscribe("$SYS/#"));

        client.established().receive(publish("$SYS/broker/uptime", "forged"));

        assertThat(client.payloads()).isEmpty();
        assertThat(count("heddle.messages.dropped", "reason", "not_authorized")).isOne();
    }

    @Test
    void anEmptyClientIdIsAssignedOneWhereTheVersionKnowsThat() {
        Client v5 = connect("");
        Client v311 = connect(loop, connectPacket(MqttVersion.V3_1_1, "", 0, null));
        Client v31 = connect(loop, connectPacket(MqttVersion.V3_1, "", 0, null));
        Client persistent = connect(
                loop, new ConnectPacket(MqttVersion.V3_1_1, "", false, 0, null, null, null, ConnectProperties.NONE));

        ConnAckPacket answer = v5.connection().sent(ConnAckPacket.class).getFirst();
        assertThat(answer.properties().assignedClientId())
                .isEqualTo(v5.established().clientId().value());
        assertThat(v311.connectReason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(v31.connectReason()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(persistent.connectReason()).isEqualTo(ReasonCode.CLIENT_IDENTIFIER_NOT_VALID);
        assertThat(persistent.connection().isOpen()).isFalse();
    }

    @Test
    void aRefusedClientGetsItsReasonAndIsClosed() {
        authenticator = _ -> null;

        Client client = connect("c");

        assertThat(client.session()).isNull();
        assertThat(client.connectReason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(count("heddle.connects", "outcome", "not_authorized")).isOne();
    }
}
