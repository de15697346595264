package io.heddle.app.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.e2e.RawClient;
import io.heddle.app.e2e.RawConnect;
import io.heddle.app.e2e.RawPublish;
import java.time.Duration;
import java.util.Map;
import java.util.TreeMap;

/** Compares the retained messages of each listening broker with those that were acknowledged last. One test thread. */
final class RetainedOnAllNodes {
    private static final Duration ANSWERS_WITHIN = Duration.ofSeconds(20);

    private final ClientLoad load;
    private final ClusterUnderTest cluster;
    private int probes;

    RetainedOnAllNodes(ClientLoad load, ClusterUnderTest cluster) {
        this.load = load;
        this.cluster = cluster;
    }

    /** Stops the publishers of retained messages meanwhile. */
    void assertEqual() throws Exception {
        load.retain(false);
        try {
            Waits.until("the retained messages are acknowledged", load::isRetainingIdle, load::describe);
            Map<String, Integer> expected = new TreeMap<>(load.ask(load.ledger()::lastRetained));
            for (int port : cluster.ports()) {
                assertThat(retainedAt(port, expected.size()))
                        .as("retained messages at port %d", port)
                        .isEqualTo(expected);
            }
        } finally {
            load.retain(true);
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
