package io.heddle.transport.admission;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.transport.admission.Places.Answer;
import io.netty.channel.embedded.EmbeddedChannel;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Eight places, on one event loop whose time stands still. */
final class PlacesTest {
    private static final Duration TIMEOUT = Duration.ofSeconds(10);
    private static final Duration SWEEP = Duration.ofMillis(100);

    private final Places places = new Places(8);
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> evicted = new ArrayList<>();

    @BeforeEach
    void freeze() {
        channel.freezeTime();
    }

    @AfterEach
    void close() {
        channel.finishAndReleaseAll();
    }

    private Place place(String name) {
        return new Place(places, channel.eventLoop(), TIMEOUT, () -> evicted.add(name));
    }

    /** A connection whose peer sends something. */
    private Place heard(String name, @Nullable String network) {
        Place place = place(name);
        assertThat(place.enter(network)).isEqualTo(Answer.TAKEN);
        assertThat(place.heard(network)).isEqualTo(Answer.TAKEN);
        return place;
    }

    private List<String> evicted() {
        channel.runPendingTasks();
        return evicted;
    }

    private void advance(Duration time) {
        for (Duration passed = Duration.ZERO; passed.compareTo(time) < 0; passed = passed.plus(SWEEP)) {
            channel.advanceTimeBy(SWEEP.toNanos(), TimeUnit.NANOSECONDS);
            channel.runScheduledPendingTasks();
            channel.runPendingTasks();
        }
    }

    @Test
    void aNetworkTakesHalfOfWhatIsFree() {
        for (int i = 0; i < 4; i++) {
            heard("a" + i, "a");
        }
        assertThat(place("a4").enter("a")).isEqualTo(Answer.SHARE_USED);
        heard("b0", "b");
        heard("b1", "b");
        assertThat(place("b2").enter("b")).isEqualTo(Answer.SHARE_USED);
        heard("c0", "c");
        heard("d0", "d");

        assertThat(place("e0").enter("e")).isEqualTo(Answer.FULL);
        assertThat(evicted()).isEmpty();
        assertThat(places.newcomers()).isEqualTo(8);
    }

    @Test
    void settledConnectionsReduceTheShare() {
        for (int i = 0; i < 6; i++) {
            assertThat(heard("s" + i, "a").settle()).isTrue();
        }
        assertThat(places.newcomers()).isZero();
        heard("a0", "a");
        assertThat(place("a1").enter("a")).isEqualTo(Answer.SHARE_USED);

        for (int i = 0; i < 4; i++) {
            places.vacate();
        }
        heard("a1", "a");
        heard("a2", "a");
        assertThat(place("a3").enter("a")).isEqualTo(Answer.SHARE_USED);
    }

    @Test
    void theOldestConnectionThatHasSentNothingIsEvicted() {
        heard("talking", "a");
        Place oldest = place("oldest");
        assertThat(oldest.enter("a")).isEqualTo(Answer.TAKEN);
        assertThat(place("middle").enter("a")).isEqualTo(Answer.TAKEN);
        assertThat(place("youngest").enter("a")).isEqualTo(Answer.TAKEN);

        assertThat(place("new").enter("a")).isEqualTo(Answer.TAKEN);

        assertThat(evicted()).containsExactly("oldest");
        assertThat(oldest.settle()).isFalse();
        assertThat(places.newcomers()).isEqualTo(4);
    }

    @Test
    void theOldestOfAllNetworksIsEvictedIfAllPlacesAreTaken() {
        assertThat(place("oldest").enter("x")).isEqualTo(Answer.TAKEN);
        for (int i = 0; i < 7; i++) {
            assertThat(place("p" + i).enter(null)).isEqualTo(Answer.TAKEN);
        }

        assertThat(place("new").enter("b")).isEqualTo(Answer.TAKEN);

        assertThat(evicted()).containsExactly("oldest");
    }

    @Test
    void aConnectionOfAProxyJoinsTheShareOfItsClient() {
        for (int i = 0; i < 3; i++) {
            heard("a" + i, "a");
        }
        Place first = heard("first", null);
        Place second = heard("second", null);

        assertThat(first.heard("a")).isEqualTo(Answer.TAKEN);
        assertThat(second.heard("a")).isEqualTo(Answer.SHARE_USED);
        second.leave();
        assertThat(places.newcomers()).isEqualTo(4);
    }

    @Test
    void silentConnectionsOfACrowdAreSwept() {
        heard("b", "b");
        heard("a0", "a");
        heard("a1", "a");
        Place talking = heard("talking", "a");
        advance(Duration.ofMillis(400));
        assertThat(talking.heard("a")).isEqualTo(Answer.TAKEN);

        advance(Duration.ofMillis(300));

        // One of three is enough: two are no crowd.
        assertThat(evicted()).containsExactly("a0");
        advance(TIMEOUT);
        assertThat(evicted()).containsExactly("a0");
    }

    @Test
    void slowConnectionsOfACrowdAreSweptAlthoughTheySend() {
        List<Place> slow = new ArrayList<>();
        for (int i = 0; i < 3; i++) {
            slow.add(heard("a" + i, "a"));
        }
        for (int i = 0; i < 24; i++) {
            advance(SWEEP);
            slow.forEach(each -> each.heard("a"));
        }
        assertThat(evicted()).isEmpty();

        advance(SWEEP.multipliedBy(2));

        assertThat(evicted()).containsExactly("a0");
    }

    @Test
    void connectionsThatWaitForThisNodeAreNeitherSilentNorSlow() {
        List<Place> waiting = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Place place = heard("a" + i, "a");
            place.excuse();
            waiting.add(place);
        }
        advance(TIMEOUT);
        assertThat(evicted()).isEmpty();

        waiting.forEach(Place::expect);
        advance(Duration.ofMillis(400));
        assertThat(evicted()).as("they have their whole time").isEmpty();
        advance(Duration.ofMillis(300));

        assertThat(evicted()).containsExactly("a0", "a1");
    }
}
