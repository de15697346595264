package io.heddle.app.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.e2e.RawClient;
import io.heddle.app.e2e.RawConnect;
import io.heddle.app.e2e.RawPublish;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/**
 * Compares the sessions, subscriptions and retained messages of the listening brokers, and the retained messages with those that were
 * acknowledged last. One test thread.
 */
final class StateOfAllNodes {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(20);

    private static final Duration CHECKSUMS_EVERY = Duration.ofMillis(100);

    private final ClientLoad load;
    private final ClusterUnderTest cluster;
    private int probes;

    StateOfAllNodes(ClientLoad load, ClusterUnderTest cluster) {
        this.load = load;
        this.cluster = cluster;
    }

    /** Lets the clients rest meanwhile, except that they publish messages that are not retained. */
    void assertEqual() throws Exception {
        load.rest(true);
        try {
            Waits.until("the retained messages are acknowledged", load::isRetainingIdle, load::describe);
            Map<String, Integer> expected = new TreeMap<>(load.ask(load.ledger()::lastRetained));
            for (int port : cluster.ports()) {
                assertThat(retainedAt(port, expected.size()))
                        .as("retained messages at port %d", port)
                        .isEqualTo(expected);
            }
            Waits.until(
                    "the state of all brokers is equal",
                    CHECKSUMS_EVERY,
                    () -> cluster.checksums().values().stream().distinct().count() == 1,
                    () -> cluster.checksums() + "\n" + load.describe());
        } finally {
            load.rest(false);
        }
    }

    /** Returns the number of the retained message of each stream. */
    private Map<String, Integer> retainedAt(int port, int count) {
        probes++;
        Map<String, Integer> found = new TreeMap<>();
        try (RawClient probe =
                new RawConnect("probe-" + probes).answersWithin(ANSWERS_WITHIN).open(port)) {
            probe.subscribe(ClientLoad.RETAINED + "#", 0);
            while (found.size() < count) {
                RawPublish message = probe.message();
                assertThat(message.retain()).as("RETAIN of %s", message).isTrue();
                found.put(MessageStream.nameOf(message.payload()), MessageStream.numberOf(message.payload()));
            }
        }
        return found;
    }
}
