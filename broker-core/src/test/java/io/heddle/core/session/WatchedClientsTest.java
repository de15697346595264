package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.testkit.RecordingWatcher;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The events of clients that core shows to a watcher. The packets themselves are shown by the transport. */
final class WatchedClientsTest {
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
        client.send(aliased("a/b", 1));

        client.send(aliased(null, 1));

        assertThat(watcher.seen()).containsExactly("in Publish a/b c/null");
    }

    @Test
    void aMissedMessageIsShownWithItsReason() {
        TestClient slow = node.connect("slow").subscribe(QoS.AT_MOST_ONCE, "t");
        slow.connection().writable(false);
        slow.connection().room(false);

        node.connect("publisher").publish("t", "message");

        assertThat(watcher.seen()).containsExactly("dropped slow_consumer t slow/null");
    }

    @Test
    void theEndOfAConnectionIsShownWithItsCause() {
        TestClient client = node.connect("c");
        client.disconnect();
        var _ = node.connect("again");
        var _ = node.connect("again");

        assertThat(watcher.seen())
                .containsExactly("ended disconnect_packet c/null", "ended session_taken_over again/null");
    }

    @Test
    void aRefusedConnectIsShownWithItsReason() {
        var _ = node.connect("$administrator/x");

        assertThat(watcher.seen())
                .singleElement()
                .asString()
                .startsWith("refused CONNECT client_identifier_not_valid ");
    }

    @Test
    void withoutAWatcherNothingIsShown() {
        node.incidents.events().watch(null);

        node.connect("c").disconnect();

        assertThat(watcher.seen()).isEmpty();
    }
}
