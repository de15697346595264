package io.heddle.perf.load.command;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** The load of retained messages against a {@link SmallBroker}. */
final class ReplaceRetainedTest {
    private static Invocation retained(SmallBroker broker, String... further) {
        String command = "replace-retained --topics 25 --publishers 2 --warm-up 100ms --duration 200ms";
        List<String> arguments = new ArrayList<>(List.of(command.split(" ")));
        arguments.addAll(List.of(further));
        return Invocation.at(broker.port(), arguments.toArray(String[]::new));
    }

    @ParameterizedTest
    @ValueSource(strings = {"3.1.1", "5.0"})
    void eachTopicGetsItsRetainedMessageBeforeTheRuns(String version) throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.NONE)) {
            Invocation invocation = retained(broker, "--mqtt", version, "--unacknowledged", "3");
            assertThat(invocation.status()).as(invocation.toString()).isZero();
            assertThat(invocation.total("acknowledged")).isEqualTo(broker.retained.size());
            assertThat(invocation.total("unacknowledged")).isZero();
            assertThat(broker.retained.subList(0, 25))
                    .doesNotHaveDuplicates()
                    .contains("retained/0/0", "retained/0/24");
            assertThat(Set.copyOf(broker.retained)).hasSize(25);
            assertThat(invocation.out()).contains("replaced [1/s]", "PUBACK p50 [ms]", "[µs/message]");
        }
    }

    @Test
    void retainedMessagesThatAreNotStoredAreAFault() throws IOException {
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.acknowledging(0x97))) {
            assertThat(retained(broker, "--mqtt", "5.0").out()).contains("FAILED: ", "messages were refused");
        }
        try (SmallBroker broker = new SmallBroker(BrokerMisbehaviour.acknowledging(BrokerMisbehaviour.SILENT))) {
            Invocation invocation = retained(broker, "--give-up", "50ms");
            assertThat(invocation.status()).isEqualTo(1);
            assertThat(invocation.out()).contains("FAILED: 25 messages were never acknowledged");
        }
    }
}
