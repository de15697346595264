package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AnonymousAuthenticator;
import io.heddle.core.authentication.ClientIdPattern;
import io.heddle.core.message.tracing.TraceContext;
import io.heddle.core.message.tracing.Tracing;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.InMemoryCredentialsStore;
import io.heddle.core.testkit.RecordingTracer;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The steps of a traced message from its PUBLISH to the acknowledgements of its subscribers. */
final class TracedMessagesTest {
    private static final String PARENT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    private static final List<UserProperty> SENT = List.of(
            new UserProperty("b", "2"),
            new UserProperty("traceparent", PARENT),
            new UserProperty("a", "1"),
            new UserProperty("tracestate", "congo=t61"));

    private final RecordingTracer tracer = new RecordingTracer();
    private double random = 1;
    private final TestNode node = new TestNode(
            RulesTest.settings("default allow", "deny publish forbidden/# for everyone"),
            new Tracing(tracer, 0.5, 1_000, () -> random, System::nanoTime, new SimpleMeterRegistry()));

    TracedMessagesTest() {
        node.authenticator = new AnonymousAuthenticator(
                new InMemoryCredentialsStore(), _ -> true, List.of(new ClientIdPattern("app*")));
    }

    private static PublishProperties with(List<UserProperty> userProperties) {
        return new PublishProperties(PublishProperties.NO_EXPIRY, null, null, null, null, userProperties);
    }

    private static void publish(TestClient publisher, QoS qos, List<UserProperty> userProperties) {
        int packetId = qos == QoS.AT_MOST_ONCE ? PublishPacket.NO_PACKET_ID : 1;
        publisher.send(TestClient.packet("t", "x", qos, packetId, false, with(userProperties)));
    }

    private TestClient persistent(String clientId) {
        return node.connect(new Connect(clientId).persistent(60).packet());
    }

    private String parent(int step) {
        return Objects.requireNonNull(tracer.steps().get(step).parent()).traceparent();
    }

    @Test
    void aCopyIsDeliveredUntilItIsAcknowledged() {
        TestClient subscriber = node.connect("s").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_LEAST_ONCE, SENT);
        assertThat(tracer.described()).containsExactly("publish p: end", "deliver s: sent");

        subscriber.pubAck(1);

        assertThat(tracer.described()).containsExactly("publish p: end", "deliver s: sent, acknowledged, end");
        assertThat(parent(0)).isEqualTo(PARENT);
        assertThat(parent(1)).isEqualTo(PARENT);
        assertThat(Objects.requireNonNull(tracer.steps().get(1).parent()).tracestate())
                .isEqualTo("congo=t61");
        assertThat(subscriber.messages().getFirst().properties().userProperties())
                .isEqualTo(SENT);
    }

    @Test
    void aQos2CopyIsDeliveredUntilPubComp() {
        TestClient subscriber = node.connect("s").subscribe(QoS.EXACTLY_ONCE, "t");
        TestClient publisher = node.connect("p");
        publish(publisher, QoS.EXACTLY_ONCE, SENT);
        publisher.pubRel(1);
        subscriber.pubRec(1);
        subscriber.pubComp(1);

        assertThat(tracer.described())
                .containsExactly("publish p: end", "deliver s: sent, received, acknowledged, end");
    }

    @Test
    void aMessageAtQos0IsPublishedUntilItIsRouted() {
        node.connect("s").subscribe(QoS.AT_MOST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_MOST_ONCE, SENT);

        assertThat(tracer.described()).containsExactlyInAnyOrder("publish p: end", "deliver s: sent, end");
    }

    @Test
    void theAppendIsAPartOfThePublish() {
        TestClient device = persistent("d").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_LEAST_ONCE, SENT);
        device.pubAck(device.messages().getFirst().packetId());

        assertThat(tracer.described())
                .containsExactly("publish p: end", "append p: end", "deliver d: sent, acknowledged, end");
        assertThat(parent(1)).isEqualTo(tracer.steps().getFirst().context().traceparent());
        assertThat(parent(2)).isEqualTo(PARENT);
    }

    @Test
    void messagesForApplicationsAreTracedToo() {
        TestClient application = persistent("app").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_LEAST_ONCE, SENT);
        application.pubAck(application.messages().getFirst().packetId());

        assertThat(tracer.described())
                .containsExactly("publish p: end", "append p: end", "deliver app: sent, acknowledged, end");
    }

    @Test
    void aMessageThatTheBrokerSamplesNamesItsTraceToSubscribers() {
        random = 0;
        TestClient subscriber = node.connect("s").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher =
                node.connect(new Connect("p").version(MqttVersion.V3_1_1).packet());
        publisher.publish("t", "x", QoS.AT_LEAST_ONCE, 1);

        String begun = tracer.steps().getFirst().context().traceparent();
        assertThat(tracer.steps().getFirst().parent()).isNull();
        assertThat(subscriber.messages().getFirst().properties().userProperties())
                .containsExactly(new UserProperty(TraceContext.TRACEPARENT, begun));
        assertThat(parent(1)).isEqualTo(begun);
    }

    @Test
    void otherPropertiesKeepTheirPlaceBeforeTheAddedOne() {
        random = 0;
        TestClient subscriber = node.connect("s").subscribe(QoS.AT_MOST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_MOST_ONCE, List.of(new UserProperty("b", "2"), new UserProperty("a", "1")));

        assertThat(subscriber.messages().getFirst().properties().userProperties())
                .extracting(UserProperty::name)
                .containsExactly("b", "a", "traceparent");
    }

    @Test
    void whatIsNotSampledOrMalformedIsForwardedAsItIs() {
        random = 0;
        TestClient subscriber = node.connect("s").subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("p");
        for (String value : List.of(PARENT.substring(0, 54) + "0", "malformed", "")) {
            publish(publisher, QoS.AT_MOST_ONCE, List.of(new UserProperty("traceparent", value)));
        }

        assertThat(tracer.steps()).isEmpty();
        assertThat(subscriber.messages())
                .extracting(
                        each -> each.properties().userProperties().getFirst().value())
                .containsExactly(PARENT.substring(0, 54) + "0", "malformed", "");
    }

    @Test
    void aRefusedMessageEndsWithItsReason() {
        TestClient publisher = node.connect("p");
        publisher.send(TestClient.packet("forbidden/t", "x", QoS.AT_LEAST_ONCE, 1, false, with(SENT)));

        assertThat(tracer.described()).containsExactly("publish p: fail not_authorized");
    }

    @Test
    void aMessageThatCannotBeStoredFails() {
        persistent("d").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = node.connect("p");
        node.log.failNextWith(new IllegalStateException("no log"));
        publish(publisher, QoS.AT_LEAST_ONCE, SENT);

        assertThat(tracer.described()).containsExactly("publish p: fail append_failed", "append p: fail append_failed");
    }

    @Test
    void aCopyThatIsDroppedEndsWithItsReason() {
        node.connect("s").subscribe(QoS.AT_MOST_ONCE, "t").connection().writable(false);
        publish(node.connect("p"), QoS.AT_MOST_ONCE, SENT);

        assertThat(tracer.described()).contains("deliver s: fail slow_consumer");
    }

    @Test
    void aCopyThatTheClientRefusesEndsWithItsReason() {
        TestClient subscriber = node.connect("s").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_LEAST_ONCE, SENT);
        subscriber.send(new PubAckPacket(1, ReasonCode.QUOTA_EXCEEDED, null, List.of()));

        assertThat(tracer.described()).containsExactly("publish p: end", "deliver s: sent, fail quota_exceeded");
    }

    @Test
    void aLostConnectionEndsADeliveryAndThePersistentSessionHasAnother() {
        TestClient device = persistent("d").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish(node.connect("p"), QoS.AT_LEAST_ONCE, SENT);
        device.lose();
        TestClient again = persistent("d");
        again.pubAck(again.messages().getFirst().packetId());

        assertThat(tracer.described())
                .containsExactly(
                        "publish p: end",
                        "append p: end",
                        "deliver d: sent, fail connection_lost",
                        "deliver d: sent again, acknowledged, end");
    }

    @Test
    void aPublisherThatIsLostIsNotAcknowledged() {
        persistent("d").subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = node.connect("p");
        node.log.hold(10);
        publish(publisher, QoS.AT_LEAST_ONCE, SENT);
        assertThat(tracer.described()).containsExactly("publish p: ", "append p: ");
        publisher.lose();

        assertThat(tracer.described()).contains("publish p: fail connection_lost");
    }
}
