package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.SessionRegistry.Registration;
import io.heddle.core.testkit.PublishMessages;
import io.heddle.core.testkit.RecordingQueueReader;
import io.heddle.core.testkit.UnboundedLag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class BucketWriterTest extends BucketWriterFixture {
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
        assertThat(sessions.forgotten()).isEmpty();
        assertThat(stored(0, PUMP)).containsExactly("one");
    }

    @Test
    void whatComesToNothingIsCountedAndNotTold() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        writer.apply(List.of(batch(
                0,
                -1,
                new Logged(0, new Enqueue(PublishMessages.expiring("late", NOW - 1), List.of(to(PUMP, pump)))),
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

    private RecordingQueueReader inStep(Registration session) {
        answer(store.page(0, PUMP, session.generation(), session.epoch(), 1, 10, 1_000));
        return sessions.reading(PUMP, session, loop);
    }

    @Test
    void whatWasPushedDoesNotGiveWay() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = inStep(pump);
        BucketWriter dropsOldest = writer(new QueueBounds(2, 1_000_000, true, 0));

        dropsOldest.apply(List.of(batch(0, -1, at(0, "a", to(PUMP, pump)), at(1, "b", to(PUMP, pump)))));
        dropsOldest.apply(List.of(batch(0, 1, at(2, "c", to(PUMP, pump)))));
        loop.runTasks();

        assertThat(reader.heard()).containsExactly("1 a", "2 b");
        assertThat(stored(0, PUMP)).containsExactly("a", "b");
        assertThat(dropped("queue_full")).isOne();
    }

    @Test
    void whatMayHaveGivenWayBeforeItWasPushedIsOnlyHintedAt() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = inStep(pump);
        BucketWriter dropsOldest = writer(new QueueBounds(2, 1_000_000, true, 0));

        dropsOldest.apply(List.of(
                batch(0, -1, at(0, "a", to(PUMP, pump)), at(1, "b", to(PUMP, pump)), at(2, "c", to(PUMP, pump)))));
        loop.runTasks();

        assertThat(reader.heard()).containsExactly("up to 1", "up to 2", "up to 3");
        assertThat(stored(0, PUMP)).containsExactly("b", "c");
        assertThat(dropped("queue_full")).isOne();
    }

    @Test
    void theQueueOfASessionThatIsOverIsRemovedAgain() {
        Registration pump = connect(0, PUMP);
        answer(store.end(0, PUMP, pump.generation()));
        sessions.over(PUMP);

        writer.apply(List.of(batch(0, -1, at(0, "one", to(PUMP, pump)))));

        assertThat(sessions.forgotten()).containsExactly("0 pump-1 " + pump.generation());
    }

    @Test
    void readingBeginsWhereTheQueuesStand() {
        Registration pump = connect(0, PUMP);
        writer.apply(List.of(batch(0, -1, at(7, "one", to(PUMP, pump)))));
        BucketPositions fresh = UnboundedLag.positions(2);
        BucketWriter restarted = writer(new QueueBounds(3, 1_000_000, false, 1), fresh);

        assertThat(restarted.appliedOffset(0)).isEqualTo(7);
        assertThat(restarted.appliedOffset(1)).isEqualTo(BucketBatch.NOTHING);
        assertThat(fresh.appliedOffset(0)).isEqualTo(7);

        queues.refuse(bucket -> true);
        assertThatThrownBy(() -> restarted.appliedOffset(0)).isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void whoWaitsForItsOwnAppendHearsOfItWhenNothingWasToBeDone() {
        List<String> heard = new ArrayList<>();
        positions.appended(0, 3, 1);
        positions.whenApplied(0, () -> heard.add("applied"));

        writer.reached(0, 3);
        assertThat(heard).isEmpty();
        writer.reached(0, 4);

        assertThat(heard).containsExactly("applied");
    }
}
