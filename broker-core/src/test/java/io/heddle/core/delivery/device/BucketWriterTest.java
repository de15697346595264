package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.SessionRegistry;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.testkit.FaultyDeviceQueues;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.RecordingQueueReader;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

final class BucketWriterTest {
    private static final long NOW = 1_800_000_000_000L;
    private static final ClientId PUMP = new ClientId("pump-1");
    private static final ClientId VALVE = new ClientId("valve-1");

    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final ManualEventLoop otherLoop = new ManualEventLoop(1);
    private final InMemoryDeviceQueues store = new InMemoryDeviceQueues(() -> 1_000);
    private final FaultyDeviceQueues queues = new FaultyDeviceQueues(store);
    private final Sessions sessions = new Sessions();
    private final BucketPositions positions = new BucketPositions(2);
    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final BucketWriter writer = writer(new QueueBounds(3, 1_000_000, false, 1));

    private BucketWriter writer(QueueBounds bounds) {
        SteadyClock clock = new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), () -> 0);
        return new BucketWriter(queues, sessions, positions, bounds, clock, metrics);
    }

    @Test
    void whatIsReadIsQueuedAndItsReaderHearsOfIt() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        Map<Integer, Long> again = writer.apply(List.of(batch(0, -1, at(4, "one", to(PUMP, pump)))));

        assertThat(again).isEmpty();
        assertThat(stored(0, PUMP)).containsExactly("one");
        assertThat(reader.heard()).as("only on its event loop").isEmpty();
        loop.runTasks();
        assertThat(reader.heard()).containsExactly("1 one");
        assertThat(positions.appliedOffset(0)).isEqualTo(4);
        assertThat(count("heddle.queues.messages")).isOne();
    }

    @Test
    void aBatchIsOneTaskForEachEventLoop() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(1, VALVE);
        ClientId far = new ClientId("far");
        Registration farAway = connect(0, far);
        RecordingQueueReader pumpReader = sessions.reading(PUMP, pump, loop);
        RecordingQueueReader valveReader = sessions.reading(VALVE, valve, loop);
        RecordingQueueReader farReader = sessions.reading(far, farAway, otherLoop);

        writer.apply(List.of(
                batch(0, -1, at(0, "one", to(PUMP, pump), to(far, farAway)), at(1, "two", to(PUMP, pump))),
                batch(1, -1, at(0, "three", to(VALVE, valve)))));

        assertThat(loop.runTasks()).isOne();
        assertThat(otherLoop.runTasks()).isOne();
        assertThat(pumpReader.heard()).containsExactly("1 one", "2 two");
        assertThat(valveReader.heard()).containsExactly("1 three");
        assertThat(farReader.heard()).containsExactly("1 one");
    }

    @Test
    void aBugInOneReaderCostsTheOthersNothing() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(0, VALVE);
        sessions.reading(PUMP, pump, loop).fault(new IllegalStateException("a bug"));
        RecordingQueueReader valveReader = sessions.reading(VALVE, valve, loop);
        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump), to(VALVE, valve)))));

        assertThatThrownBy(loop::runTasks).hasMessage("a bug");
        loop.runTasks();

        assertThat(valveReader.heard()).containsExactly("1 one");
    }

    @Test
    void aReaderOfAnotherEpochHearsNothing() {
        Registration before = connect(0, PUMP);
        Registration after = answer(store.connect(0, PUMP, before.generation(), 0, "node"));
        RecordingQueueReader stale = sessions.reading(PUMP, before, loop);

        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, after)))));
        loop.runTasks();

        assertThat(stale.heard()).isEmpty();
        assertThat(stored(0, PUMP)).containsExactly("one");
    }

    @Test
    void whatIsForSomebodyAwayWaits() {
        Registration pump = connect(0, PUMP);
        answer(store.disconnect(0, PUMP, pump.epoch(), 0));
        RecordingQueueReader gone = sessions.reading(PUMP, pump, loop);

        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));
        loop.runTasks();

        assertThat(gone.heard()).as("a hint, which who is going does not take").containsExactly("up to 1");
        assertThat(sessions.forgotten).isEmpty();
        assertThat(stored(0, PUMP)).containsExactly("one");
    }

    @Test
    void whatComesToNothingIsCountedAndNotTold() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        writer.apply(List.of(batch(
                0,
                -1,
                new Logged(0, new Enqueue(message("late", NOW - 1), List.of(to(PUMP, pump)))),
                at(1, "a", to(PUMP, pump)),
                at(2, "b", to(PUMP, pump)),
                at(3, "c", to(PUMP, pump)),
                at(4, "no room", to(PUMP, pump)),
                at(
                        5,
                        "too late",
                        new QueueRecipient(PUMP, pump.generation() - 1, QoS.AT_LEAST_ONCE, false, List.of())))));
        loop.runTasks();

        assertThat(reader.heard()).containsExactly("2 a", "3 b", "4 c");
        assertThat(dropped("expired")).isOne();
        assertThat(dropped("queue_full")).isOne();
        assertThat(dropped("session_ended")).isOne();
        assertThat(count("heddle.queues.messages")).isEqualTo(3);
    }

    @Test
    void whatGivesWayInAFullQueueIsCounted() {
        Registration pump = connect(0, PUMP);
        BucketWriter dropsOldest = writer(new QueueBounds(2, 1_000_000, true, 0));

        dropsOldest.apply(List.of(
                batch(0, -1, at(0, "a", to(PUMP, pump)), at(1, "b", to(PUMP, pump)), at(2, "c", to(PUMP, pump)))));

        assertThat(stored(0, PUMP)).containsExactly("b", "c");
        assertThat(dropped("queue_full")).isOne();
        assertThat(count("heddle.queues.messages")).isEqualTo(3);
    }

    @Test
    void theQueueOfASessionThatIsOverIsRemovedAgain() {
        Registration pump = connect(0, PUMP);
        answer(store.end(0, PUMP, pump.generation()));
        sessions.over.add(PUMP);

        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));

        assertThat(sessions.forgotten).containsExactly("0 pump-1 " + pump.generation());
    }

    @Test
    void theQueueOfASessionThatIsOverIsRemovedAlsoWhenTheFirstAnswerWasLost() {
        Registration pump = connect(0, PUMP);
        answer(store.end(0, PUMP, pump.generation()));
        sessions.over.add(PUMP);
        List<BucketBatch> batches = List.of(batch(0, -1, at(0, "one", to(PUMP, pump))));
        queues.loseAnswers(bucket -> true);
        assertThatThrownBy(() -> writer.apply(batches)).isInstanceOf(StoreUnavailableException.class);

        queues.heal();
        writer.apply(batches);

        assertThat(sessions.forgotten).containsExactly("0 pump-1 " + pump.generation());
    }

    @Test
    void queuesThatWentBackAreFilledAgainFromWhereTheyStand() {
        Registration pump = connect(0, PUMP);
        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));
        store.loseEverything();
        positions.appended(0, 5);

        Map<Integer, Long> again = writer.apply(List.of(
                batch(0, 0, at(5, "two", to(PUMP, pump))), batch(1, -1, at(0, "three", to(VALVE, pump)))));

        assertThat(again).containsExactly(Map.entry(0, BucketBatch.NOTHING));
        assertThat(sessions.wentBack).containsExactly(0);
        assertThat(count("heddle.buckets.went.back")).isOne();
        assertThat(positions.appliedOffset(0)).as("it is not applied any more").isEqualTo(BucketBatch.NOTHING);
        assertThat(positions.appliedOffset(1)).isZero();

        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)), at(5, "two", to(PUMP, pump)))));
        assertThat(stored(0, PUMP)).containsExactly("one", "two");
        assertThat(positions.appliedOffset(0)).isEqualTo(5);
    }

    @Test
    void nothingIsAppliedAgainBeforeTheQueuesKnowWhoIsConnected() {
        Registration pump = connect(0, PUMP);
        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));
        store.loseEverything();
        List<BucketBatch> batches = List.of(batch(0, 0, at(5, "two", to(PUMP, pump))));
        sessions.unavailable = true;

        assertThatThrownBy(() -> writer.apply(batches)).hasMessage("not restored");
        sessions.unavailable = false;
        assertThat(writer.apply(batches)).containsExactly(Map.entry(0, BucketBatch.NOTHING));
        assertThat(sessions.wentBack).containsExactly(0);
    }

    @Test
    void anIdleBucketThatWentBackIsFoundWhenItIsAskedAnew() {
        Registration pump = connect(0, PUMP);
        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump))), batch(1, -1, at(7, "two", to(VALVE, pump)))));
        writer.reached(0, 2);
        store.losePosition(0);

        Map<Integer, Long> again = writer.appliedOffsets(Set.of(0, 1));

        assertThat(again).containsExactlyInAnyOrderEntriesOf(Map.of(0, BucketBatch.NOTHING, 1, 7L));
        assertThat(count("heddle.buckets.went.back")).isOne();
        assertThat(sessions.wentBack)
                .as("who is connected may be forgotten in any of them")
                .containsExactlyInAnyOrder(0, 1);
        assertThat(positions.isInStep(0)).isFalse();
        assertThat(positions.isInStep(1)).isTrue();
        List<String> ran = new ArrayList<>();
        positions.whenApplied(0, () -> ran.add("applied again"));
        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));
        assertThat(ran).isEmpty();
        writer.reached(0, 2);
        assertThat(ran).containsExactly("applied again");
    }

    @Test
    void whoIsConnectedAndNotKnownIsMadeKnownAndHearsOfItsQueue() {
        Registration pump = connect(0, PUMP);
        store.loseEverything();
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));
        loop.runTasks();

        assertThat(sessions.madeKnown).containsExactly("0 pump-1");
        assertThat(reader.heard()).containsExactly("up to 1");
    }

    @Test
    void aBucketThatFailsDoesNotHoldUpTheOthersAndAllMayBeRepeated() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(1, VALVE);
        RecordingQueueReader pumpReader = sessions.reading(PUMP, pump, loop);
        RecordingQueueReader valveReader = sessions.reading(VALVE, valve, loop);
        List<BucketBatch> batches =
                List.of(batch(0, -1, at(0, "one", to(PUMP, pump))), batch(1, -1, at(0, "two", to(VALVE, valve))));
        queues.refuse(bucket -> bucket == 0);

        assertThatThrownBy(() -> writer.apply(batches)).isInstanceOf(StoreUnavailableException.class);
        loop.runTasks();
        assertThat(valveReader.heard()).containsExactly("1 two");
        assertThat(positions.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);
        assertThat(positions.appliedOffset(1)).isZero();

        queues.heal();
        assertThat(writer.apply(batches)).isEmpty();
        loop.runTasks();

        assertThat(pumpReader.heard()).containsExactly("1 one");
        assertThat(valveReader.heard()).containsExactly("1 two", "up to 1");
        assertThat(stored(1, VALVE)).containsExactly("two");
        assertThat(count("heddle.queues.messages")).as("each counted once").isEqualTo(2);
        assertThat(count("heddle.buckets.apply.failures")).isOne();
    }

    @Test
    void whatWasAppliedWithoutAnAnswerIsToldWithoutItsMessages() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);
        List<BucketBatch> batches = List.of(batch(0, -1, at(0, "one", to(PUMP, pump)), at(1, "two", to(PUMP, pump))));
        queues.loseAnswers(bucket -> true);
        assertThatThrownBy(() -> writer.apply(batches)).isInstanceOf(StoreUnavailableException.class);

        queues.heal();
        writer.apply(batches);
        loop.runTasks();

        assertThat(reader.heard())
                .as("nobody knows any more which number is whose")
                .containsOnly("up to 2");
        assertThat(stored(0, PUMP)).containsExactly("one", "two");
    }

    @Test
    void readingBeginsWhereTheQueuesStand() {
        Registration pump = connect(0, PUMP);
        writer.apply(List.of(batch(0, -1, at(7, "one", to(PUMP, pump)))));
        BucketPositions fresh = new BucketPositions(2);
        BucketWriter restarted =
                new BucketWriter(queues, sessions, fresh, new QueueBounds(3, 1_000_000, false, 1), clock(), metrics);

        assertThat(restarted.appliedOffset(0)).isEqualTo(7);
        assertThat(restarted.appliedOffset(1)).isEqualTo(BucketBatch.NOTHING);
        assertThat(fresh.appliedOffset(0)).isEqualTo(7);

        queues.refuse(bucket -> true);
        assertThatThrownBy(() -> restarted.appliedOffset(0)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void whoWaitsForItsOwnAppendHearsOfItWhenNothingWasToBeDone() {
        List<String> heard = new ArrayList<>();
        positions.appended(0, 3);
        positions.whenApplied(0, () -> heard.add("applied"));

        writer.reached(0, 3);
        assertThat(heard).isEmpty();
        writer.reached(0, 4);

        assertThat(heard).containsExactly("applied");
    }

    @Test
    void theLogFillsTheQueuesThroughAnOutage() {
        Registration pump = connect(0, PUMP);
        InMemoryBucketLog bucketLog = new InMemoryBucketLog(2);
        BucketWriter roomy = writer(new QueueBounds(1_000, 1_000_000, false, 1));
        bucketLog.add(0, command("m0", to(PUMP, pump)));
        bucketLog.read(roomy);
        try {
            await().until(() -> stored(0, PUMP).size() == 1);
            queues.refuse(bucket -> true);
            for (int i = 1; i < 50; i++) {
                bucketLog.skip(0);
                bucketLog.add(0, command("m" + i, to(PUMP, pump)));
            }
            await().until(() -> count("heddle.buckets.apply.failures") > 0);
            store.losePosition(0);
            queues.heal();

            await().until(() -> stored(0, PUMP).size() == 50);
            await().until(() -> positions.appliedOffset(0) == 98);
        } finally {
            bucketLog.stopReading();
        }
        assertThat(stored(0, PUMP)).startsWith("m0", "m1").endsWith("m49").doesNotHaveDuplicates();
        assertThat(sessions.wentBack).contains(0);
    }

    private static SteadyClock clock() {
        return new SteadyClock(InstantSource.fixed(Instant.ofEpochMilli(NOW)), () -> 0);
    }

    private Registration connect(int bucket, ClientId clientId) {
        return answer(store.connect(bucket, clientId, SessionRegistry.NEW, 0, "node"));
    }

    private static BucketBatch batch(int bucket, long preceding, Logged... commands) {
        return new BucketBatch(bucket, preceding, List.of(commands));
    }

    private static Logged at(long offset, String payload, QueueRecipient... recipients) {
        return new Logged(offset, command(payload, recipients));
    }

    private static BucketCommand command(String payload, QueueRecipient... recipients) {
        return new Enqueue(message(payload, PublishMessage.NEVER_EXPIRES), List.of(recipients));
    }

    private static QueueRecipient to(ClientId clientId, Registration registration) {
        return new QueueRecipient(clientId, registration.generation(), QoS.AT_LEAST_ONCE, false, List.of());
    }

    private static PublishMessage message(String payload, long expiresAtMillis) {
        return new PublishMessage(
                new ClientId("sensor"),
                TopicName.parse("plant/1", 8),
                QoS.AT_LEAST_ONCE,
                false,
                PublishProperties.NONE,
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)),
                expiresAtMillis);
    }

    private List<String> stored(int bucket, ClientId clientId) {
        return store.payloads(bucket, clientId);
    }

    private double count(String counter) {
        return metrics.counter(counter).count();
    }

    private double dropped(String reason) {
        return metrics.counter("heddle.messages.dropped", "reason", reason).count();
    }

    private static <T> T answer(CompletionStage<T> stage) {
        return stage.toCompletableFuture().join();
    }

    /** Sessions as a test says they are. */
    private static final class Sessions implements QueueSessions {
        private final Map<ClientId, RecordingQueueReader> readers = new HashMap<>();
        private final Set<ClientId> over = new HashSet<>();
        private final List<String> forgotten = new ArrayList<>();
        private final List<Integer> wentBack = new CopyOnWriteArrayList<>();
        private final List<String> madeKnown = new ArrayList<>();
        private boolean unavailable;

        RecordingQueueReader reading(ClientId clientId, Registration registration, EventLoop loop) {
            RecordingQueueReader reader = new RecordingQueueReader(loop, registration.epoch());
            readers.put(clientId, reader);
            return reader;
        }

        @Override
        public @Nullable Reader reader(ClientId clientId, long generation) {
            return readers.get(clientId);
        }

        @Override
        public boolean isOver(ClientId clientId, long generation) {
            return over.contains(clientId);
        }

        @Override
        public void forgetQueue(int bucket, ClientId clientId, long generation) {
            forgotten.add(bucket + " " + clientId.value() + " " + generation);
        }

        @Override
        public CompletionStage<Void> bucketsWentBack(Set<Integer> buckets) {
            if (unavailable) {
                return CompletableFuture.failedStage(new StoreUnavailableException("not restored", null));
            }
            wentBack.addAll(buckets);
            return CompletableFuture.completedStage(null);
        }

        @Override
        public void makeKnown(int bucket, ClientId clientId, long generation) {
            madeKnown.add(bucket + " " + clientId.value());
        }
    }
}
