package io.heddle.persistence.kafka.append;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.delivery.log.OrderFence;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

class UnknownTopicsTest {
    private static final String BUCKETS = "heddle.buckets";
    private static final String APP = "heddle.app.a";
    private static final String OTHER_APP = "heddle.app.b";

    private final RecordingLane lane = new RecordingLane();
    private final ArrayDeque<Runnable> requests = new ArrayDeque<>();
    private long nanos;
    private final UnknownTopics unknown = new UnknownTopics(lane, requests::add, () -> nanos);

    private static Commit commit(OrderFence order, String... topics) {
        List<ProducerRecord<byte[], byte[]>> records = Stream.of(topics)
                .map(topic -> new ProducerRecord<>(topic, 0, new byte[0], new byte[0]))
                .toList();
        return Commit.once(records, order, new Commit.Listener() {
            @Override
            public void onCommitted(long[] offsets) {
                throw new AssertionError("no lane commits it");
            }

            @Override
            public void onFailed(Throwable reason) {
                throw new AssertionError("the lane fails it");
            }
        });
    }

    private void answerRequests() {
        for (Runnable next = requests.poll(); next != null; next = requests.poll()) {
            next.run();
        }
    }

    @Test
    void onlyCommitsToUnknownTopicsOfApplicationsAreHeld() {
        lane.known.add(APP);
        Commit first = commit(new OrderFence(), BUCKETS, APP);

        assertThat(unknown.holds(commit(new OrderFence(), BUCKETS))).isFalse();
        assertThat(unknown.holds(first)).isTrue();
        assertThat(unknown.holds(commit(new OrderFence(), BUCKETS))).isFalse();
        assertThat(lane.queued).isEmpty();
        answerRequests();

        assertThat(lane.queued).containsExactly(first);
        assertThat(unknown.holds(commit(new OrderFence(), APP))).isFalse();
    }

    @Test
    void laterCommitsOfTheSamePublisherKeepTheirOrder() {
        lane.known.add(APP);
        lane.known.add(OTHER_APP);
        OrderFence order = new OrderFence();
        List<Commit> commits =
                List.of(commit(order, APP), commit(order, BUCKETS), commit(order, OTHER_APP), commit(order, BUCKETS));

        assertThat(commits).allMatch(unknown::holds);
        requests.removeLast().run();
        assertThat(lane.queued).as("the first one still waits").isEmpty();
        answerRequests();

        assertThat(lane.queued).isEqualTo(commits);
        assertThat(unknown.holds(commit(order, BUCKETS))).isFalse();
    }

    @Test
    void aTopicThatIsNotReportedFailsItsPublisherOnly() {
        lane.known.add(OTHER_APP);
        OrderFence order = new OrderFence();
        Commit missing = commit(order, APP);
        Commit behind = commit(order, BUCKETS);
        Commit other = commit(new OrderFence(), OTHER_APP);
        Stream.of(missing, behind, other).forEach(unknown::holds);
        lane.onRequest = () -> nanos += Duration.ofSeconds(4).toNanos();

        answerRequests();

        assertThat(lane.queued).containsExactly(other);
        assertThat(lane.failed).containsExactly(missing, behind);
        assertThat(order.isBroken()).isTrue();
        assertThat(unknown.holds(commit(new OrderFence(), BUCKETS))).isFalse();
    }

    @Test
    void aNewTopicIsAwaited() {
        Commit first = commit(new OrderFence(), APP);
        unknown.holds(first);
        lane.onRequest = () -> {
            nanos += Duration.ofSeconds(4).toNanos();
            if (nanos > Duration.ofSeconds(5).toNanos()) {
                lane.known.add(APP);
            }
        };

        answerRequests();

        assertThat(lane.queued).containsExactly(first);
    }

    @Test
    void metadataIsRequestedAgainBeforeKafkasClientForgetsIt() {
        lane.known.add(APP);
        unknown.holds(commit(new OrderFence(), APP));
        answerRequests();
        assertThat(unknown.holds(commit(new OrderFence(), APP))).isFalse();

        nanos += UnknownTopics.KNOWN_FOR.toNanos();
        assertThat(unknown.holds(commit(new OrderFence(), APP))).isTrue();
        answerRequests();
        assertThat(unknown.holds(commit(new OrderFence(), APP))).isFalse();

        unknown.forget();
        assertThat(unknown.holds(commit(new OrderFence(), APP))).isTrue();
        assertThat(requests).hasSize(1);
    }

    @Test
    void heldCommitsAreReturnedOnClose() {
        Commit held = commit(new OrderFence(), APP);
        unknown.holds(held);

        assertThat(unknown.close()).containsExactly(held);

        assertThat(unknown.holds(commit(new OrderFence(), APP))).isFalse();
        answerRequests();
        assertThat(lane.queued).isEmpty();
        assertThat(lane.failed).isEmpty();
    }

    private static final class RecordingLane implements UnknownTopics.Lane {
        private final Set<String> known = new HashSet<>();
        private final List<Commit> queued = new ArrayList<>();
        private final List<Commit> failed = new ArrayList<>();
        private Runnable onRequest = () -> {};

        @Override
        public boolean requestMetadata(String topic) {
            onRequest.run();
            return known.contains(topic);
        }

        @Override
        public @Nullable RuntimeException enqueue(Commit commit) {
            queued.add(commit);
            return null;
        }

        @Override
        public void fail(Commit commit, Throwable reason) {
            failed.add(commit);
        }
    }
}
