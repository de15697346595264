package io.heddle.core.delivery.application;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** The progress of sessions whose connections move between two nodes. */
class SharedProgressTest {
    private static final ClientId APP = new ClientId("app");
    private static final long GENERATION = 5;

    private final InMemoryApplicationLogs logs = new InMemoryApplicationLogs();
    private final InMemoryChangeLog<ProgressKey, Progress> log = new InMemoryChangeLog<>();
    private final LaggingChangeLog<ProgressKey, Progress> logOfB = new LaggingChangeLog<>(log);
    private final ProgressLog a = shared(log);
    private final ProgressLog b = shared(logOfB);

    private ProgressLog shared(ChangeLog<ProgressKey, Progress> changes) {
        ProgressLog progress = new ProgressLog(changes, logs::acknowledged, new SimpleMeterRegistry());
        progress.follow(lost -> {
            throw new AssertionError(lost);
        });
        return progress;
    }

    private static ProgressKey key(long epoch) {
        return new ProgressKey(APP, GENERATION, epoch);
    }

    private static Progress upTo(long lowest) {
        return new Progress(lowest, List.of(new SequenceRange(lowest + 2, lowest + 3)), List.of(), lowest + 3);
    }

    private static Map<ProgressKey, Progress> stored(InMemoryChangeLog<ProgressKey, Progress> log) {
        Map<ProgressKey, Progress> stored = new HashMap<>();
        log.changes().forEach(change -> {
            Progress value = change.value();
            if (value == null) {
                stored.remove(change.key());
            } else {
                stored.put(change.key(), value);
            }
        });
        return stored;
    }

    @Test
    void aNodeKnowsTheBeginningOfASessionThatAnotherOneHasBegun() {
        a.begin(APP, GENERATION, 7);

        assertThat(b.find(APP, GENERATION)).isEqualTo(Progress.startingAt(7));
        assertThat(b.find(APP, GENERATION + 1).sentBelow()).isEqualTo(Progress.UNKNOWN);
    }

    @Test
    void aNodeIsReadyWhenItHasReadWhatWasStored() {
        a.begin(APP, GENERATION, 0);
        logOfB.isLagging = true;
        var _ = a.write(key(6), upTo(3));

        CompletableFuture<Void> read = b.whenRead().toCompletableFuture();
        assertThat(read).isNotDone();
        logOfB.catchUp();

        assertThat(read).isCompleted();
        assertThat(b.find(APP, GENERATION)).isEqualTo(upTo(3));
    }

    @Test
    void theLatestConnectionCountsInWhateverOrderItsRecordsArrive() {
        var _ = b.write(key(7), upTo(5));
        var _ = a.write(key(6), upTo(9));

        assertThat(a.find(APP, GENERATION)).isEqualTo(upTo(5));
        assertThat(b.find(APP, GENERATION)).isEqualTo(upTo(5));
        var _ = b.write(key(7), upTo(6));
        assertThat(stored(log)).containsOnlyKeys(key(7));
    }

    @Test
    void theRecordOfAnEarlierConnectionIsKeptUntilTheNextOneIsStored() {
        var _ = a.write(key(6), upTo(3));
        log.failWith(new StoreUnavailableException("Kafka is away", null));
        assertThat(b.write(key(7), upTo(4)).toCompletableFuture()).isCompletedExceptionally();

        assertThat(b.find(APP, GENERATION)).isEqualTo(upTo(3));
        log.failWith(null);
        log.hold();
        var _ = b.write(key(7), upTo(4));
        assertThat(stored(log)).containsOnlyKeys(key(6), key(7));
        log.release();
        assertThat(stored(log)).containsOnlyKeys(key(7));
    }

    @Test
    void takingABucketRemovesTheProgressOfEndedSessions() {
        ClientId other = new ClientId("other");
        assertThat(logs.create(APP, GENERATION).toCompletableFuture()).isCompleted();
        for (int i = 0; i < 3; i++) {
            logs.skip(APP);
        }
        var _ = a.write(key(6), upTo(3));
        var _ = log.append(key(4), upTo(1));
        var _ = log.append(new ProgressKey(APP, GENERATION - 1, 5), upTo(1));
        var _ = log.append(new ProgressKey(other, 1, 1), upTo(1));
        ApplicationSessions sessions =
                new ApplicationSessions(logs, log, RoutingLease.unlimited(), new SimpleMeterRegistry());
        sessions.follow(_ -> {});

        assertThat(sessions.take(0, APP::equals, Map.of(APP, GENERATION)).toCompletableFuture())
                .isCompleted();
        assertThat(stored(log)).containsOnlyKeys(key(6), new ProgressKey(other, 1, 1));

        assertThat(sessions.take(0, APP::equals, Map.of()).toCompletableFuture())
                .isCompleted();
        assertThat(stored(log)).containsOnlyKeys(new ProgressKey(other, 1, 1));
    }

    @Test
    void theHolderLearnsWhatClientsOfOtherNodesHaveAcknowledged() {
        assertThat(logs.create(APP, GENERATION).toCompletableFuture()).isCompleted();
        var _ = b.write(key(6), upTo(3));

        assertThat(logs.removedBelow(APP)).isEqualTo(3);
    }

    @Test
    void anEndedSessionHasNoProgress() {
        var _ = b.write(key(6), upTo(3));

        assertThat(a.end(APP, GENERATION)).isEqualTo(upTo(3));

        assertThat(b.find(APP, GENERATION).lowest()).isZero();
        assertThat(stored(log)).isEmpty();
    }
}
