package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.RecordingQueueReader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Queues that do not answer, lose their answers or have gone back. */
final class BucketWriterFaultsTest extends BucketWriterFixture {
    @Test
    void theQueueOfASessionThatIsOverIsRemovedAlsoWhenTheFirstAnswerWasLost() {
        Registration pump = connect(0, PUMP);
        answer(store.end(0, PUMP, pump.generation()));
        sessions.over(PUMP);
        List<BucketBatch> batches = List.of(batch(0, -1, at(0, "one", to(PUMP, pump))));
        queues.loseAnswers(bucket -> true);
        assertThatThrownBy(() -> writer.apply(batches)).isInstanceOf(StoreUnavailableException.class);

        queues.heal();
        writer.apply(batches);

        assertThat(sessions.forgotten()).containsExactly("0 pump-1 " + pump.generation());
    }

    @Test
    void queuesThatWentBackAreFilledAgainFromWhereTheyStand() {
        Registration pump = connect(0, PUMP);
        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));
        store.loseEverything();
        positions.appended(0, 5, 1);

        Map<Integer, Long> again = writer.apply(List.of(
                batch(0, 0, at(5, "two", to(PUMP, pump))), batch(1, -1, at(0, "three", to(VALVE, pump)))));

        assertThat(again).containsExactly(Map.entry(0, BucketBatch.NOTHING));
        assertThat(sessions.wentBack()).containsExactly(0);
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
        sessions.unavailable(true);

        assertThatThrownBy(() -> writer.apply(batches)).hasMessage("not restored");
        sessions.unavailable(false);
        assertThat(writer.apply(batches)).containsExactly(Map.entry(0, BucketBatch.NOTHING));
        assertThat(sessions.wentBack()).containsExactly(0);
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
        assertThat(sessions.wentBack())
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

        assertThat(sessions.madeKnown()).containsExactly("0 pump-1");
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
        assertThat(sessions.wentBack()).contains(0);
    }
}
