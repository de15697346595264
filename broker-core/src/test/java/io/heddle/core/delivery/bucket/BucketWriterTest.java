package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingQueueReader;
import io.heddle.core.testkit.UnboundedLag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.Test;

final class BucketWriterTest extends BucketWriterFixture {
    @Test
    void queuesEachMessageAndPushesItToItsReader() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        apply(0, at(4, "one", to(PUMP, pump)));

        assertThat(stored(0, PUMP)).containsExactly("one");
        assertThat(reader.heard()).as("only on its event loop").isEmpty();
        loop.runTasks();
        assertThat(reader.heard()).containsExactly("1 one");
        assertThat(positions.appliedOffset(0)).isEqualTo(4);
        assertThat(count("heddle.queues.messages")).isOne();
    }

    @Test
    void pushesABatchInOneTaskForEachEventLoop() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(1, VALVE);
        ClientId far = new ClientId("far");
        Registration farAway = connect(0, far);
        RecordingQueueReader pumpReader = sessions.reading(PUMP, pump, loop);
        RecordingQueueReader valveReader = sessions.reading(VALVE, valve, loop);
        RecordingQueueReader farReader = sessions.reading(far, farAway, otherLoop);

        turn(writer);
        writer.onCommands(0, List.of(at(0, "one", to(PUMP, pump), to(far, farAway)), at(1, "two", to(PUMP, pump))), 0);
        writer.onCommands(1, List.of(at(0, "three", to(VALVE, valve))), 0);
        turn(writer);

        assertThat(loop.runTasks()).isOne();
        assertThat(otherLoop.runTasks()).isOne();
        assertThat(pumpReader.heard()).containsExactly("1 one", "2 two");
        assertThat(valveReader.heard()).containsExactly("1 three");
        assertThat(farReader.heard()).containsExactly("1 one");
    }

    @Test
    void aBugInOneReaderLosesNoMessageOfOthers() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(0, VALVE);
        sessions.reading(PUMP, pump, loop).fault(new IllegalStateException("a bug"));
        RecordingQueueReader valveReader = sessions.reading(VALVE, valve, loop);
        apply(0, at(0, "one", to(PUMP, pump), to(VALVE, valve)));

        assertThatThrownBy(loop::runTasks).hasMessage("a bug");
        loop.runTasks();

        assertThat(valveReader.heard()).containsExactly("1 one");
    }

    @Test
    void aReaderOfAnEarlierEpochGetsNoPushButReadsAndLosesItsQueue() {
        Registration before = connect(0, PUMP);
        Registration after = reconnect(0, PUMP, before);
        RecordingQueueReader stale = sessions.reading(PUMP, before, loop);

        apply(0, at(0, "one", to(PUMP, after)));
        loop.runTasks();

        assertThat(stale.heard()).containsExactly("up to 1");
        assertThat(stored(0, PUMP)).containsExactly("one");
    }

    @Test
    void aMessageForADisconnectedClientStaysInItsQueue() {
        Registration pump = connect(0, PUMP);
        answer(store.disconnect(0, PUMP, pump.epoch(), 0));
        RecordingQueueReader gone = sessions.reading(PUMP, pump, loop);

        apply(0, at(0, "one", to(PUMP, pump)));
        loop.runTasks();

        assertThat(gone.heard())
                .as("a hint, which a closing connection ignores")
                .containsExactly("up to 1");
        assertThat(sessions.removed()).isEmpty();
        assertThat(stored(0, PUMP)).containsExactly("one");
    }

    @Test
    void droppedMessagesAreCountedAndNotPushed() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        apply(
                0,
                new Logged(0, new Enqueue(PublishMessages.expiring("late", NOW - 1), List.of(to(PUMP, pump)))),
                at(1, "a", to(PUMP, pump)),
                at(2, "b", to(PUMP, pump)),
                at(3, "c", to(PUMP, pump)),
                at(4, "no room", to(PUMP, pump)),
                at(
                        5,
                        "too late",
                        new QueueRecipient(PUMP, pump.generation() - 1, QoS.AT_LEAST_ONCE, false, List.of())));
        loop.runTasks();

        assertThat(reader.heard()).containsExactly("2 a", "3 b", "4 c");
        assertThat(dropped("expired")).isOne();
        assertThat(dropped("queue_full")).isOne();
        assertThat(dropped("session_ended")).isOne();
        assertThat(count("heddle.queues.messages")).isEqualTo(3);
    }

    @Test
    void evictedMessagesAreCounted() {
        Registration pump = connect(0, PUMP);
        BucketWriter dropsOldest = writer(new QueueBounds(2, 1_000_000, true, 0));

        apply(dropsOldest, 0, at(0, "a", to(PUMP, pump)), at(1, "b", to(PUMP, pump)), at(2, "c", to(PUMP, pump)));

        assertThat(stored(0, PUMP)).containsExactly("b", "c");
        assertThat(dropped("queue_full")).isOne();
        assertThat(count("heddle.queues.messages")).isEqualTo(3);
    }

    private RecordingQueueReader inStep(Registration session) {
        answer(store.page(0, PUMP, session.generation(), session.epoch(), 1, 10, 1_000));
        return sessions.reading(PUMP, session, loop);
    }

    @Test
    void pushedMessagesAreNotEvicted() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = inStep(pump);
        BucketWriter dropsOldest = writer(new QueueBounds(2, 1_000_000, true, 0));

        apply(dropsOldest, 0, at(0, "a", to(PUMP, pump)), at(1, "b", to(PUMP, pump)));
        apply(dropsOldest, 0, at(2, "c", to(PUMP, pump)));
        loop.runTasks();

        assertThat(reader.heard()).containsExactly("1 a", "2 b");
        assertThat(stored(0, PUMP)).containsExactly("a", "b");
        assertThat(dropped("queue_full")).isOne();
    }

    @Test
    void messagesOfABatchThatEvictedAreOnlyHintedAt() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = inStep(pump);
        BucketWriter dropsOldest = writer(new QueueBounds(2, 1_000_000, true, 0));

        apply(dropsOldest, 0, at(0, "a", to(PUMP, pump)), at(1, "b", to(PUMP, pump)), at(2, "c", to(PUMP, pump)));
        loop.runTasks();

        assertThat(reader.heard()).containsExactly("up to 1", "up to 2", "up to 3");
        assertThat(stored(0, PUMP)).containsExactly("b", "c");
        assertThat(dropped("queue_full")).isOne();
    }

    @Test
    void theQueueOfAnEndedSessionIsRemovedAgain() {
        Registration pump = connect(0, PUMP);
        answer(store.end(0, PUMP, pump.generation()));
        sessions.end(PUMP);

        apply(0, at(0, "one", to(PUMP, pump)));

        assertThat(sessions.removed()).containsExactly("0 pump-1 " + pump.generation());
    }

    @Test
    void readingStartsAtThePositionOfTheQueues() {
        Registration pump = connect(0, PUMP);
        apply(0, at(7, "one", to(PUMP, pump)));
        BucketPositions fresh = UnboundedLag.positions(2);
        BucketWriter restarted = writer(new QueueBounds(3, 1_000_000, false, 1), fresh);
        assertThat(restarted.canRead(0)).isFalse();

        assertThat(placed(restarted)).containsOnly(Map.entry(0, 7L), Map.entry(1, BucketBatch.NOTHING));

        assertThat(restarted.canRead(0)).isTrue();
        assertThat(fresh.appliedOffset(0)).isEqualTo(7);
        assertThat(restarted.takeSeeks()).isEmpty();
    }

    @Test
    void aBucketWithAFullBufferIsNotRead() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.hold();
        String half = "x".repeat((int) READ_AHEAD_BYTES / 2);
        apply(0, at(0, half, to(PUMP, pump)), at(1, half, to(PUMP, pump)));

        assertThat(writer.canRead(0)).isFalse();
        assertThat(writer.canRead(1)).isTrue();
        assertThat(writer.pendingAnswers()).isOne();
        assertThat(writer.maximumWaitMillis()).isZero();
        queues.release();
        assertThat(writer.canRead(0)).isTrue();
        assertThat(writer.pendingAnswers()).isZero();
    }

    @Test
    void onlyTheApplyingThreadMayUseTheWriter() throws Exception {
        try (ExecutorService other = Executors.newSingleThreadExecutor()) {
            assertThatThrownBy(() -> other.submit(writer::advance).get())
                    .hasCauseInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("only " + Thread.currentThread().getName() + " may call this");
        }
    }

    @Test
    void aBatchInFlightDelaysNoOtherBucket() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(1, VALVE);
        placed(writer);
        queues.hold();
        apply(0, at(0, "one", to(PUMP, pump)));
        queues.holdNoMore();

        apply(1, at(0, "two", to(VALVE, valve)));

        assertThat(positions.appliedOffset(1)).isZero();
        assertThat(positions.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);
        queues.release();
        assertThat(positions.appliedOffset(0)).isZero();
    }

    @Test
    void aTaskThatWaitsForAnAppendRunsWhenReadingHasPassedIt() {
        List<String> heard = new ArrayList<>();
        placed(writer);
        positions.appended(0, 3, 1, 1);
        positions.whenApplied(0, () -> heard.add("applied"), () -> {});

        writer.onReached(0, 3);
        assertThat(heard).isEmpty();
        writer.onReached(0, 4);

        assertThat(heard).containsExactly("applied");
    }
}
