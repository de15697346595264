package io.heddle.core.authentication.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

final class FairQueueTest {
    private static final String FLOOD = "192.0.2.1";
    private static final String OTHER = "192.0.2.2";

    private final Set<String> failing = new HashSet<>();
    private final FairQueue<String> queue = new FairQueue<>(failing::contains);

    private void add(String network, String name, String element) {
        queue.add(new SignInSource(network, name), element);
    }

    private List<String> poll(int count) {
        List<String> polled = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            String element = queue.poll(true);
            if (element != null) {
                polled.add(element);
            }
        }
        return polled;
    }

    @Test
    void elementsOfOneNameAreServedInOrder() {
        add(FLOOD, "a", "1");
        add(FLOOD, "a", "2");
        add(FLOOD, "a", "3");

        assertThat(poll(4)).containsExactly("1", "2", "3");
        assertThat(queue.size()).isZero();
    }

    @Test
    void networkWithManyClientsGetsNoMoreTurnsThanOneWithASingleClient() {
        for (int i = 0; i < 300; i++) {
            add(FLOOD, "guess-" + i, "flood");
        }
        add(OTHER, "meter", "other");

        assertThat(poll(2)).containsExactly("flood", "other");
    }

    @Test
    void namesOfANetworkTakeTurns() {
        for (int i = 0; i < 300; i++) {
            add(FLOOD, "admin", "flood");
        }
        add(FLOOD, "meter", "honest");

        assertThat(poll(2)).containsExactly("flood", "honest");
    }

    @Test
    void failingNetworksGetFewerTurnsButAreNotShutOut() {
        failing.add(FLOOD);
        for (int i = 0; i < 20; i++) {
            add(FLOOD, "admin", "flood");
        }
        for (int i = 0; i < 20; i++) {
            add("198.51.100." + i, "meter", "honest");
        }

        assertThat(poll(8)).filteredOn("flood"::equals).hasSize(2);
    }

    @Test
    void networkThatStartsToFailGetsFewerTurnsFromItsNextTurnOn() {
        for (int i = 0; i < 3; i++) {
            add(FLOOD, "admin", "flood");
            add(OTHER, "meter-" + i, "other");
        }
        assertThat(poll(1)).containsExactly("flood");
        failing.add(FLOOD);
        assertThat(poll(2)).containsExactly("other", "flood");

        // Now it counts as failing and gets every fourth turn.
        assertThat(poll(3)).containsExactly("flood", "other", "other");
    }

    @Test
    void failingNetworksCanBeLeftOut() {
        failing.add(FLOOD);
        add(FLOOD, "admin", "flood");
        add(OTHER, "meter", "other");

        assertThat(queue.poll(false)).isEqualTo("other");
        assertThat(queue.poll(false)).isNull();
        assertThat(queue.poll(true)).isEqualTo("flood");
    }

    @Test
    void removedElementLeavesNoTrace() {
        add(FLOOD, "a", "1");
        add(FLOOD, "b", "2");
        add(OTHER, "c", "3");

        queue.remove(new SignInSource(FLOOD, "a"), "1");
        queue.remove(new SignInSource(FLOOD, "a"), "1");
        queue.remove(new SignInSource(OTHER, "c"), "3");
        queue.remove(new SignInSource("192.0.2.3", "d"), "4");

        assertThat(queue.size()).isOne();
        assertThat(poll(2)).containsExactly("2");
        assertThat(queue.size()).isZero();
    }
}
