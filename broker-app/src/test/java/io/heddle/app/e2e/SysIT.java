package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.lifecycle.Node;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Library clients read the topics about the broker. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class SysIT {
    private static final String UPTIME = "$SYS/broker/uptime";

    @AutoClose
    private final BrokerUnderTest broker =
            BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true", "--heddle.sys.interval=1s");

    private static List<ReceivedMessage> of(LibraryClient client, String topic) {
        return client.received().stream()
                .filter(each -> each.topic().equals(topic))
                .toList();
    }

    @ParameterizedTest
    @EnumSource
    void aSubscriberGetsTheCurrentValuesAtOnceAndThenTheirChanges(Library library) throws Exception {
        try (LibraryClient client = library.connected(broker.mqttPort())) {
            client.subscribe("$SYS/#", 1);

            Soon.until(() -> of(client, UPTIME).size() >= 3);
            List<ReceivedMessage> uptimes = of(client, UPTIME);
            assertThat(uptimes.getFirst().retain()).as("current value").isTrue();
            assertThat(uptimes.getLast().retain()).as("change").isFalse();
            // A value that is set while the client subscribes is sent as the current one and as a change.
            assertThat(uptimes).filteredOn(ReceivedMessage::retain).hasSize(1);
            assertThat(uptimes)
                    .filteredOn(each -> !each.retain())
                    .extracting(ReceivedMessage::payload)
                    .doesNotHaveDuplicates();
            assertThat(uptimes).extracting(ReceivedMessage::payload).allMatch(each -> each.endsWith(" seconds"));
            assertThat(uptimes).extracting(ReceivedMessage::qos).containsOnly(0);
            assertThat(of(client, "$SYS/broker/version"))
                    .singleElement()
                    .satisfies(each -> assertThat(each.payload()).startsWith("heddle version "));
            Soon.until(() -> of(client, "$SYS/broker/clients/connected")
                    .getLast()
                    .payload()
                    .equals("1"));
            Soon.until(() -> !of(client, "$SYS/broker/load/bytes/sent/1min").isEmpty());
        }
    }

    @Test
    void eachNodeShowsTheFiguresOfAllNodes() throws Exception {
        long nodes = broker.parts(Node.class).count();
        try (LibraryClient client = Library.HIVEMQ_311.connected(broker.mqttPort())) {
            client.subscribe("$SYS/broker/nodes/+/uptime", 0);
            client.subscribe("$SYS/broker/cluster/nodes", 0);

            Soon.until(() -> client.received().stream()
                            .map(ReceivedMessage::topic)
                            .distinct()
                            .count()
                    == nodes + 1);
            Soon.until(() ->
                    of(client, "$SYS/broker/cluster/nodes").getLast().payload().equals(Long.toString(nodes)));
        }
    }
}
