package io.heddle.persistence.kafka.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Change;
import io.heddle.core.client.event.ClientEvent.Client;
import io.heddle.core.client.event.ClientEvent.Filter;
import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.core.client.event.ClientEvent.SessionEnd;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetSocketAddress;
import java.time.Instant;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.BufferExhaustedException;
import org.apache.kafka.clients.producer.MockProducer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.apache.kafka.common.errors.TimeoutException;
import org.apache.kafka.common.serialization.ByteArraySerializer;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

final class EventPublisherTest {
    private static final int RATE = 3;
    private static final long SECOND = 1_000_000_000;
    private static final Client CLIENT = new Client("pump-7", "pump", new InetSocketAddress("10.0.4.17", 51_022));
    private static final String BEGIN =
            "{\"version\":1,\"time\":\"2026-11-01T10:00:04.318Z\",\"node\":\"heddle-1\",\"event\":";
    private static final String NAMES =
            "\"clientId\":\"pump-7\",\"userName\":\"pump\",\"address\":\"10.0.4.17\",\"port\":51022,";

    private final AtomicLong nanos = new AtomicLong();
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final MockProducer<byte[], byte[]> kafka =
            new MockProducer<>(false, null, new ByteArraySerializer(), new ByteArraySerializer());
    private final EventPublisher publisher = publisher(EnumSet.allOf(Kind.class));

    private EventPublisher publisher(Set<Kind> kinds) {
        SteadyClock clock = new SteadyClock(() -> Instant.parse("2026-11-01T10:00:04.318Z"), () -> 0);
        return new EventPublisher("heddle-1", kinds, RATE, kafka, clock, nanos::get, metrics);
    }

    private static ClientEvent dropped(String topic) {
        return new ClientEvent.Dropped(CLIENT, "slow_consumer", topic, QoS.AT_LEAST_ONCE, 37);
    }

    private void show(ClientEvent event) {
        if (publisher.accepts(event.kind())) {
            publisher.onEvent(event);
        }
    }

    private List<String> sent() {
        return kafka.history().stream()
                .map(each -> new String(Objects.requireNonNull(each.value()), UTF_8))
                .toList();
    }

    private double count(String kind, String outcome) {
        return Objects.requireNonNull(metrics.find("heddle.events")
                        .tags("kind", kind, "outcome", outcome)
                        .meter())
                .measure()
                .iterator()
                .next()
                .getValue();
    }

    static Stream<Arguments> eventsOfEachKind() {
        return Stream.of(
                Arguments.of(
                        new ClientEvent.Connected(CLIENT, "tcp", MqttVersion.V5, false, true, 60, 3_600),
                        "\"connected\"," + NAMES
                                + "\"listener\":\"tcp\",\"protocolVersion\":\"5.0\",\"cleanStart\":false,"
                                + "\"sessionPresent\":true,\"keepAliveSeconds\":60,\"sessionExpirySeconds\":3600}"),
                Arguments.of(
                        new ClientEvent.Disconnected(CLIENT, "connection_reset", "say \"bye\""),
                        "\"disconnected\"," + NAMES
                                + "\"reason\":\"connection_reset\",\"detail\":\"say \\\"bye\\\"\"}"),
                Arguments.of(
                        new ClientEvent.Refused(
                                new Client("", null, null), Kind.REFUSED, "CONNECTION", "foreign_protocol", "HTTP"),
                        "\"refused\",\"refused\":\"CONNECTION\",\"reason\":\"foreign_protocol\",\"detail\":\"HTTP\"}"),
                Arguments.of(
                        new ClientEvent.Refused(CLIENT, Kind.DENIED, "PUBLISH", "not_authorized", "no: t"),
                        "\"denied\"," + NAMES
                                + "\"refused\":\"PUBLISH\",\"reason\":\"not_authorized\",\"detail\":\"no: t\"}"),
                Arguments.of(
                        dropped("plant/3"),
                        "\"dropped\"," + NAMES
                                + "\"reason\":\"slow_consumer\",\"topic\":\"plant/3\",\"qos\":1,\"payloadBytes\":37}"),
                Arguments.of(
                        new ClientEvent.SubscriptionsChanged(
                                CLIENT, Change.SUBSCRIBED, List.of(new Filter("a/#", 1), new Filter("b", 0))),
                        "\"subscriptions_changed\"," + NAMES
                                + "\"change\":\"subscribed\",\"filters\":[{\"topicFilter\":\"a/#\",\"qos\":1},"
                                + "{\"topicFilter\":\"b\",\"qos\":0}]}"),
                Arguments.of(
                        new ClientEvent.SessionEnded(new Client("pump-7", null, null), SessionEnd.CLEAN_START),
                        "\"session_ended\",\"clientId\":\"pump-7\",\"reason\":\"clean_start\"}"));
    }

    @ParameterizedTest
    @MethodSource("eventsOfEachKind")
    void anEventIsAnObjectOfJsonWithTheClientIdAsItsKey(ClientEvent event, String json) {
        show(event);

        assertThat(sent()).containsExactly(BEGIN + json);
        ProducerRecord<byte[], byte[]> record = kafka.history().getFirst();
        assertThat(record.topic()).isEqualTo("heddle.events");
        assertThat(record.timestamp())
                .isEqualTo(Instant.parse("2026-11-01T10:00:04.318Z").toEpochMilli());
        String clientId = event.client().clientId();
        assertThat(record.key()).isEqualTo(clientId.isEmpty() ? null : clientId.getBytes(UTF_8));
    }

    @Test
    void textOfClientsIsCutAndAHalfCharacterIsReplaced() {
        show(dropped("x".repeat(255) + "\ud83d"));
        show(dropped("y".repeat(999) + "\ud83d\ude00"));

        assertThat(sent().getFirst()).contains("\"" + "x".repeat(255) + "?\"");
        assertThat(sent().getLast()).contains("\"" + "y".repeat(999) + "?...\"");
    }

    @Test
    void aKindThatIsNotSwitchedOnIsNotAccepted() {
        EventPublisher some = publisher(Set.of(Kind.CONNECTED));

        assertThat(some.accepts(Kind.CONNECTED)).isTrue();
        assertThat(some.accepts(Kind.DROPPED)).isFalse();
    }

    @Test
    void eventsAboveTheRateOfTheirKindAreCountedAndToldOnce() {
        for (int i = 0; i < 2 * RATE; i++) {
            show(dropped("t/" + i));
        }
        show(new ClientEvent.Disconnected(CLIENT, "r", "d"));
        publisher.publishSuppressed();
        publisher.publishSuppressed();

        assertThat(sent())
                .hasSize(RATE + 2)
                .last()
                .isEqualTo(BEGIN + "\"suppressed\",\"kind\":\"dropped\",\"count\":3}");
        assertThat(count("dropped", "rate_limited")).isEqualTo(RATE);
        nanos.addAndGet(SECOND);
        assertThat(publisher.accepts(Kind.DROPPED)).isTrue();
        publisher.publishSuppressed();
        assertThat(sent()).hasSize(RATE + 2);
    }

    @Test
    void eachOutcomeIsCounted() {
        show(dropped("t/1"));
        assertThat(kafka.completeNext()).isTrue();
        show(dropped("t/2"));
        assertThat(kafka.errorNext(new TimeoutException("expired"))).isTrue();
        show(dropped("t/3"));
        assertThat(kafka.errorNext(new BufferExhaustedException("full"))).isTrue();

        assertThat(count("dropped", "sent")).isEqualTo(1);
        assertThat(count("dropped", "failed")).isEqualTo(1);
        assertThat(count("dropped", "overloaded")).isEqualTo(1);
    }

    @Test
    void anEventAfterTheEndIsCounted() {
        publisher.close();

        show(dropped("t"));

        assertThat(count("dropped", "failed")).isEqualTo(1);
    }
}
