package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.tracing.Collector;
import io.heddle.app.tracing.ReceivedSpan;
import io.netty.buffer.Unpooled;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttProperties;
import io.netty.handler.codec.mqtt.MqttProperties.StringPair;
import io.netty.handler.codec.mqtt.MqttProperties.UserProperties;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** Traced messages between two nodes that all serve, as a collector gets them. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class TracingIT {
    private static final String PARENT = "00f067aa0ba902b7";

    private final List<BrokerUnderTest> nodes = new ArrayList<>();
    private Collector collector;

    @BeforeAll
    void start() throws Exception {
        collector = new Collector();
        for (int i = 0; i < 2; i++) {
            nodes.add(BrokerUnderTest.start(
                    "--heddle.authentication.anonymous.enabled=true",
                    "--heddle.tracing.endpoint=" + collector.endpoint(),
                    "--heddle.tracing.ratio=1",
                    DeliveryPath.SETTING,
                    BrokerUnderTest.LONG_LEASE));
        }
    }

    @AfterAll
    void stop() {
        nodes.forEach(BrokerUnderTest::close);
        collector.close();
    }

    private int port(int node) {
        return nodes.get(node).mqttPort();
    }

    private static void publish(RawClient client, String topic, int qos, List<StringPair> userProperties) {
        MqttProperties properties = new MqttProperties();
        properties.add(new UserProperties(userProperties));
        client.send(new MqttPublishMessage(
                new MqttFixedHeader(MqttMessageType.PUBLISH, false, MqttQoS.valueOf(qos), false, 0),
                new MqttPublishVariableHeader(topic, 5, properties),
                Unpooled.wrappedBuffer("x".getBytes(UTF_8))));
    }

    private static List<StringPair> takeUserProperties(RawClient client) throws Exception {
        MqttPublishMessage message = (MqttPublishMessage) client.next();
        try {
            List<StringPair> pairs = new ArrayList<>();
            message.variableHeader()
                    .properties()
                    .getProperties(MqttProperties.USER_PROPERTY)
                    .forEach(each -> pairs.add(((MqttProperties.UserProperty) each).value()));
            if (message.fixedHeader().qosLevel() == MqttQoS.AT_LEAST_ONCE) {
                client.answer(MqttMessageType.PUBACK, message.variableHeader().packetId());
            }
            return pairs;
        } finally {
            message.release();
        }
    }

    private List<ReceivedSpan> spans(String traceId) {
        return collector.spans().stream()
                .filter(each -> each.traceId().equals(traceId))
                .toList();
    }

    private static ReceivedSpan only(List<ReceivedSpan> spans, String name, String clientId) {
        List<ReceivedSpan> found = spans.stream()
                .filter(each -> each.name().equals(name)
                        && clientId.equals(each.attributes().get("messaging.client.id")))
                .toList();
        assertThat(found).hasSize(1);
        return found.getFirst();
    }

    @Test
    void aMessageIsTracedFromItsPublishToEachAcknowledgement() throws Exception {
        String topic = Library.newClientId();
        String traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
        List<StringPair> sent = List.of(
                new StringPair("b", "2"),
                new StringPair("traceparent", "00-" + traceId + "-" + PARENT + "-01"),
                new StringPair("tracestate", "congo=t61"),
                new StringPair("a", "1"));
        String connected = Library.newClientId();
        String device = Library.newClientId();
        String application = DeliveryPath.APPLICATION.newClientId();
        String publisher = Library.newClientId();
        try (RawClient there = new RawConnect(connected).open(port(1)).subscribe(topic, 1);
                RawClient queued =
                        new RawConnect(device).persistent(60).open(port(1)).subscribe(topic, 1);
                RawClient logged =
                        new RawConnect(application).persistent(60).open(port(0)).subscribe(topic, 1);
                RawClient client = new RawConnect(publisher).open(port(0))) {
            publish(client, topic, 1, sent);
            client.expect(MqttMessageType.PUBACK);
            for (RawClient subscriber : List.of(there, queued, logged)) {
                assertThat(takeUserProperties(subscriber))
                        .extracting(each -> each.key + "=" + each.value)
                        .containsExactlyElementsOf(sent.stream()
                                .map(each -> each.key + "=" + each.value)
                                .toList());
            }
            Soon.untilAsserted(() -> assertThat(spans(traceId)).hasSize(5));
        }

        List<ReceivedSpan> spans = spans(traceId);
        ReceivedSpan publish = only(spans, "publish", publisher);
        assertThat(publish.parentId()).isEqualTo(PARENT);
        assertThat(publish.attributes()).containsEntry("messaging.destination.name", topic);
        ReceivedSpan append = only(spans, "append", publisher);
        assertThat(append.parentId()).isEqualTo(publish.spanId());
        assertThat(append.resource()).isEqualTo(publish.resource());
        for (String each : List.of(connected, device, application)) {
            ReceivedSpan deliver = only(spans, "deliver", each);
            assertThat(deliver.parentId()).isEqualTo(PARENT);
            assertThat(deliver.events()).containsExactly("sent", "acknowledged");
            assertThat(deliver.isError()).isFalse();
            assertThat(deliver.traceState()).isEqualTo("congo=t61");
        }
        // The connected client of the other node.
        assertThat(only(spans, "deliver", connected).resource())
                .containsEntry("service.name", "heddle")
                .isNotEqualTo(publish.resource());
    }
}
