package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.event.ClientEvent;
import io.heddle.core.client.event.ClientEvent.Kind;
import io.heddle.core.client.event.ClientWatcher;
import io.heddle.core.client.event.EventValues;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.testkit.RecordingWatcher;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The events of clients that core shows to a watcher. The packets themselves are shown by the transport. */
final class WatchedClientsTest {
    private static final String CONNECTED = "connected 5.0 present=false ";

    private final TestNode node = new TestNode();
    private final RecordingWatcher watcher = new RecordingWatcher();

    @BeforeEach
    void watch() {
        node.incidents.events().watch(watcher);
    }

    private static PublishPacket aliased(@Nullable String topic, int alias) {
        return new PublishPacket(
                topic == null ? null : TopicName.parse(topic, 8),
                alias,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.EMPTY);
    }

    @Test
    void aPublishWithAnAliasOnlyIsShownWithItsTopic() {
        TestClient client = node.connect("c");
        var _ = watcher.seen();
        client.send(aliased("a/b", 1));

        client.send(aliased(null, 1));

        assertThat(watcher.seen()).containsExactly("in Publish a/b c/null");
    }

    @Test
    void aMissedMessageIsShownWithItsReason() {
        TestClient slow = node.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("publisher");
        slow.connection().writable(false);
        slow.connection().room(false);
        var _ = watcher.seen();

        publisher.publish("t", "message");

        assertThat(watcher.seen()).containsExactly("dropped slow_consumer t slow/null");
    }

    @Test
    void theEndOfAConnectionIsShownWithItsCause() {
        TestClient client = node.connect("c");
        client.disconnect();
        var _ = node.connect("again");
        var _ = node.connect("again");

        assertThat(watcher.seen())
                .containsExactly(
                        CONNECTED + "c/null",
                        "ended disconnect_packet c/null",
                        CONNECTED + "again/null",
                        "ended session_taken_over again/null",
                        CONNECTED + "again/null");
    }

    @Test
    void aRefusedConnectIsShownWithItsReason() {
        var _ = node.connect("$administrator/x");

        assertThat(watcher.seen())
                .singleElement()
                .asString()
                .startsWith("refused CONNECT client_identifier_not_valid ");
    }

    @ParameterizedTest
    @ValueSource(longs = {0, 60})
    void subscriptionsAreShownWhenTheyAreGrantedAndWhenTheyAreRemoved(long expirySeconds) {
        TestClient client =
                node.connect(new Connect("c").persistent(expirySeconds).packet());
        var _ = watcher.seen();

        client.subscribe(QoS.AT_LEAST_ONCE, "a/#", "$other/x", "b");
        client.subscribe(QoS.AT_LEAST_ONCE, "$other/x");
        client.send(new UnsubscribePacket(2, List.of(), List.of("b", "c")));

        assertThat(watcher.seen()).containsExactly("SUBSCRIBED a/#:1,b:1 c/null", "UNSUBSCRIBED b c/null");
    }

    @Test
    void aResumedSessionIsShownAndWhyItEnds() {
        Connect connect = new Connect("c").persistent(60);
        node.connect(connect.packet()).lose();
        node.connect(connect.packet()).lose();
        var _ = node.connect(connect.cleanStart(true).packet());
        node.connect("c").lose();
        node.connect(connect.packet()).lose();
        node.advance(Duration.ofSeconds(61));
        node.connect(connect.packet()).endSession();

        assertThat(watcher.seen().stream().filter(each -> !each.startsWith("ended")))
                .containsExactly(
                        CONNECTED + "c/null",
                        "connected 5.0 present=true c/null",
                        "session ended CLEAN_START c/null",
                        CONNECTED + "c/null",
                        "session ended CLEAN_START c/null",
                        CONNECTED + "c/null",
                        CONNECTED + "c/null",
                        "session ended EXPIRED c/null",
                        CONNECTED + "c/null",
                        "session ended DISCONNECTED c/null");
    }

    @Test
    void aPublisherGetsTheEventsThatItAcceptsAndNoPackets() {
        List<Kind> asked = new ArrayList<>();
        List<ClientEvent> published = new ArrayList<>();
        node.incidents.events().publish(new ClientWatcher() {
            @Override
            public boolean accepts(Kind kind) {
                asked.add(kind);
                return kind == Kind.DISCONNECTED;
            }

            @Override
            public void onEvent(ClientEvent event) {
                published.add(event);
            }
        });

        TestClient client = node.connect("c");
        client.send(aliased("a/b", 1));
        client.send(aliased(null, 1));
        client.disconnect();

        assertThat(asked).containsExactly(Kind.CONNECTED, Kind.DISCONNECTED);
        assertThat(published).extracting(ClientEvent::kind).containsExactly(Kind.DISCONNECTED);
        assertThat(watcher.seen()).hasSize(3);
    }

    @Test
    void aLongListOfFiltersIsSeveralEvents() {
        List<String> filters = IntStream.range(0, EventValues.MAXIMUM_ITEMS + 1)
                .mapToObj(each -> "f/" + each)
                .toList();
        TestClient client = node.connect("c");
        var _ = watcher.seen();

        node.incidents
                .events()
                .unsubscribed(filters, Collections.nCopies(filters.size(), ReasonCode.SUCCESS), client.connection());

        assertThat(watcher.seen())
                .hasSize(2)
                .last()
                .isEqualTo("UNSUBSCRIBED f/" + EventValues.MAXIMUM_ITEMS + " c/null");
    }

    @Test
    void withoutAWatcherNothingIsShown() {
        node.incidents.events().watch(null);

        node.connect("c").disconnect();

        assertThat(watcher.seen()).isEmpty();
    }
}
