package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.session.BucketPump;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.RecordingQueueReader;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Queues that do not answer, lose their answers or have rolled back. */
final class BucketWriterFaultsTest extends BucketWriterFixture {
    @Test
    void theQueueOfAnEndedSessionIsRemovedAfterALostAnswer() {
        Registration pump = connect(0, PUMP);
        answer(store.end(0, PUMP, pump.generation()));
        sessions.end(PUMP);
        placed(writer);
        queues.loseAnswers(bucket -> true);
        apply(0, at(0, "one", to(PUMP, pump)));

        queues.heal();
        advance(BucketChain.FIRST_PAUSE_MILLIS);

        assertThat(sessions.removed()).containsExactly("0 pump-1 " + pump.generation());
    }

    @Test
    void theLogIsReplayedFromThePositionOfQueuesThatRolledBack() {
        Registration pump = connect(0, PUMP);
        apply(0, at(0, "one", to(PUMP, pump)));
        placed(writer);
        store.loseEverything();
        positions.appended(0, 5, 1, 1);

        apply(0, at(5, "two", to(PUMP, pump)));
        apply(1, at(0, "three", to(VALVE, pump)));

        assertThat(writer.takeSeeks()).containsExactly(Map.entry(0, BucketBatch.NOTHING));
        assertThat(sessions.rolledBack()).endsWith(0);
        assertThat(count("heddle.buckets.rollbacks")).isOne();
        assertThat(positions.appliedOffset(0)).as("rolled back").isEqualTo(BucketBatch.NOTHING);
        assertThat(positions.appliedOffset(1)).isZero();

        apply(0, at(0, "one", to(PUMP, pump)), at(5, "two", to(PUMP, pump)));
        assertThat(stored(0, PUMP)).containsExactly("one", "two");
        assertThat(positions.appliedOffset(0)).isEqualTo(5);
    }

    @Test
    void feedsWithStaleSequenceNumbersEndBeforeAnythingIsApplied() {
        Registration pump = connect(0, PUMP);
        apply(0, at(500, "old", to(PUMP, pump)));
        placed(writer);
        store.loseEverything();
        CompletableFuture<Void> feedsEnd = new CompletableFuture<>();
        sessions.feedsEnd(feedsEnd);
        writer.rewind(Set.of(0));
        placed(writer);
        assertThat(sessions.feedsEnded()).as("nothing was read yet").isEmpty();

        apply(0, at(501, "new", to(PUMP, pump)));
        assertThat(sessions.feedsEnded()).containsExactly("0 from 60000000");
        assertThat(stored(0, PUMP)).isEmpty();
        feedsEnd.complete(null);
        turn(writer);
        assertThat(stored(0, PUMP)).containsExactly("new");

        apply(0, at(502, "next", to(PUMP, pump)));
        assertThat(sessions.feedsEnded()).hasSize(1);
    }

    @Test
    void nothingIsReplayedBeforeConnectedSessionsAreRegistered() {
        Registration pump = connect(0, PUMP);
        apply(0, at(0, "one", to(PUMP, pump)));
        placed(writer);
        store.loseEverything();
        sessions.unavailable(true);

        apply(0, at(5, "two", to(PUMP, pump)));
        turn(writer);
        assertThat(writer.takeSeeks()).isEmpty();
        assertThat(writer.canRead(0)).isFalse();
        assertThat(writer.fault()).isEqualTo("not restored");

        sessions.unavailable(false);
        advance(BucketChain.FIRST_PAUSE_MILLIS);
        assertThat(writer.takeSeeks()).containsExactly(Map.entry(0, BucketBatch.NOTHING));
    }

    @Test
    void aRollbackOfAnIdleBucketIsDetectedWhenItIsRewound() {
        Registration pump = connect(0, PUMP);
        apply(0, at(0, "one", to(PUMP, pump)));
        apply(1, at(7, "two", to(VALVE, pump)));
        writer.onReached(0, 2);
        writer.takeSeeks();
        store.losePosition(0);

        writer.rewind(Set.of(0, 1));
        assertThat(placed(writer)).containsExactlyInAnyOrderEntriesOf(Map.of(0, BucketBatch.NOTHING, 1, 7L));

        assertThat(count("heddle.buckets.rollbacks")).isOne();
        assertThat(sessions.rolledBack())
                .as("registrations may be lost in any of them")
                .containsExactlyInAnyOrder(0, 1, 0, 1);
        assertThat(positions.isInStep(0)).isFalse();
        assertThat(positions.isInStep(1)).isTrue();
        List<String> ran = new ArrayList<>();
        positions.whenApplied(0, () -> ran.add("replayed"), () -> {});
        apply(0, at(0, "one", to(PUMP, pump)));
        assertThat(ran).isEmpty();
        writer.onReached(0, 2);
        assertThat(ran).containsExactly("replayed");
    }

    @Test
    void aConnectedSessionWithoutRegistrationIsRegisteredAndGetsAHint() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        store.loseEverything();
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);

        apply(0, at(0, "one", to(PUMP, pump)));
        loop.runTasks();

        assertThat(sessions.registered()).containsExactly("0 pump-1");
        assertThat(reader.heard()).containsExactly("up to 1");
    }

    @Test
    void aFailingBucketDelaysNoOtherAndResumesWhenItAnswers() {
        Registration pump = connect(0, PUMP);
        Registration valve = connect(1, VALVE);
        RecordingQueueReader pumpReader = sessions.reading(PUMP, pump, loop);
        RecordingQueueReader valveReader = sessions.reading(VALVE, valve, loop);
        placed(writer);
        queues.refuse(bucket -> bucket == 0);

        apply(0, at(0, "one", to(PUMP, pump)));
        apply(1, at(0, "two", to(VALVE, valve)));
        apply(1, at(1, "three", to(VALVE, valve)));
        loop.runTasks();
        assertThat(valveReader.heard()).containsExactly("1 two", "2 three");
        assertThat(positions.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);
        assertThat(positions.appliedOffset(1)).isOne();
        assertThat(writer.maximumWaitMillis()).isEqualTo(BucketChain.FIRST_PAUSE_MILLIS);

        queues.heal();
        advance(BucketChain.FIRST_PAUSE_MILLIS);
        loop.runTasks();

        assertThat(pumpReader.heard()).containsExactly("1 one");
        assertThat(valveReader.heard()).containsExactly("1 two", "2 three");
        assertThat(count("heddle.queues.messages")).as("each counted once").isEqualTo(3);
        assertThat(count("heddle.buckets.apply.failures")).isOne();
    }

    @Test
    void messagesAppliedWithoutAnAnswerAreOnlyHintedAt() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);
        placed(writer);
        queues.loseAnswers(bucket -> true);
        apply(0, at(0, "one", to(PUMP, pump)), at(1, "two", to(PUMP, pump)));

        queues.heal();
        advance(BucketChain.FIRST_PAUSE_MILLIS);
        loop.runTasks();

        assertThat(reader.heard())
                .as("the sequence numbers of the messages are unknown")
                .containsOnly("up to 2");
        assertThat(stored(0, PUMP)).containsExactly("one", "two");
    }

    @Test
    void aStepThatThrowsIsRetried() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.throwAll();
        apply(0, at(0, "one", to(PUMP, pump)));
        assertThat(writer.fault()).isEqualTo("a mistake");
        writer.rewind(Set.of(1));
        turn(writer);

        queues.heal();
        advance(BucketChain.FIRST_PAUSE_MILLIS);

        assertThat(stored(0, PUMP)).containsExactly("one");
        assertThat(positions.appliedOffset(0)).isZero();
        assertThat(writer.canRead(1)).isTrue();
    }

    @Test
    void aBucketThatKeepsFailingIsRetriedEveryFewSeconds() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.refuse(bucket -> true);
        apply(0, at(0, "one", to(PUMP, pump)));

        for (int i = 0; i < 600; i++) {
            advance(100);
        }

        assertThat(count("heddle.buckets.apply.failures")).isBetween(15.0, 20.0);
    }

    @Test
    void aRejectedCommandBecomesADeadLetterAndOnlyTakesItsSequenceNumbers() {
        Registration pump = connect(0, PUMP);
        RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);
        placed(writer);
        queues.reject(logged -> logged.offset() == 2 && !logged.rejected());

        apply(
                0,
                at(0, "zero", to(PUMP, pump)),
                at(1, "one", to(PUMP, pump)),
                at(2, "poison", to(PUMP, pump)),
                at(3, "three", to(PUMP, pump)));
        apply(1, at(0, "other", to(VALVE, pump)));
        loop.runTasks();

        assertThat(stored(0, PUMP)).containsExactly("zero", "one", "three");
        assertThat(reader.heard())
                .as("the dead letter took sequence number 3")
                .containsExactly("1 zero", "2 one", "4 three");
        assertThat(positions.appliedOffset(0)).isEqualTo(3);
        assertThat(positions.appliedOffset(1)).isZero();
        assertThat(messageLog.deadLetters()).singleElement().satisfies(dead -> {
            assertThat(dead.bucket()).isZero();
            assertThat(dead.offset()).isEqualTo(2);
            assertThat(dead.command()).isEqualTo(command("poison", to(PUMP, pump)));
            assertThat(dead.reason()).contains("WRONGTYPE");
        });
        assertThat(dropped("rejected")).isOne();
        assertThat(count("heddle.buckets.dead.letters")).isOne();
    }

    @Test
    void aRejectedCommandIsNotSkippedBeforeItsDeadLetterIsDurable() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.reject(logged -> !logged.rejected());
        messageLog.failWith(new StoreUnavailableException("Kafka is away", null));

        apply(0, at(0, "poison", to(PUMP, pump)));
        assertThat(positions.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);

        messageLog.failWith(null);
        advance(BucketChain.FIRST_PAUSE_MILLIS);
        assertThat(positions.appliedOffset(0)).isZero();
        assertThat(messageLog.deadLetters()).hasSize(1);
    }

    @Test
    void aCommandThatCannotTakeItsSequenceNumbersIsSkipped() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.reject(logged -> logged.offset() == 0);

        apply(0, at(0, "poison", to(PUMP, pump)), at(1, "one", to(PUMP, pump)));

        assertThat(stored(0, PUMP)).containsExactly("one");
        assertThat(positions.appliedOffset(0)).isOne();
        assertThat(messageLog.deadLetters()).hasSize(1);
    }

    @Test
    void aBucketThatRejectsEverythingIsBlockedInsteadOfMovedToDeadLetters() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.reject(logged -> true);
        Logged[] commands = new Logged[50];
        for (int i = 0; i < commands.length; i++) {
            commands[i] = at(i, "m" + i, to(PUMP, pump));
        }

        apply(0, commands);
        advance(BucketChain.LONGEST_PAUSE_MILLIS);

        assertThat(messageLog.deadLetters()).hasSizeLessThan(15);
        assertThat(writer.blockReason(0)).contains("WRONGTYPE");
        assertThat(writer.blockReason(1)).isNull();
        queues.heal();
        advance(BucketChain.LONGEST_PAUSE_MILLIS);
        assertThat(positions.appliedOffset(0)).isEqualTo(49);
        assertThat(writer.blockReason(0)).isNull();
    }

    @Test
    void aStoreThatDoesNotAnswerDelaysNoPublisher() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        queues.hold();
        apply(0, at(0, "one", to(PUMP, pump)));
        assertThat(positions.describe(0)).doesNotContain("do not answer");

        advance(500);

        assertThat(positions.describe(0)).contains("do not answer");
        writer.onReached(0, 1);
        assertThat(positions.describe(0)).as("read further, applied nothing").contains("do not answer");
        queues.release();
        assertThat(positions.describe(0)).doesNotContain("do not answer");
    }

    @Test
    void aStoppedBucketIsBlockedAndDelaysNoPublisher() {
        Registration pump = connect(0, PUMP);
        placed(writer);
        writer.onCommands(0, List.of(at(0, "one", to(PUMP, pump))), 0);
        writer.onStopped(0, "its next record can't be read");
        turn(writer);

        assertThat(writer.blockReason(0)).isEqualTo("its next record can't be read");
        assertThat(positions.appliedOffset(0)).as("commands read before").isZero();
        assertThat(positions.describe(0)).contains("do not answer");
    }

    @Test
    void theQueuesCatchUpAfterAnOutage() {
        Registration pump = connect(0, PUMP);
        BucketWriter roomy = new BucketWriter(
                queues,
                sessions,
                positions,
                messageLog,
                new QueueBounds(1_000, 1_000_000, false, 1),
                READ_AHEAD_BYTES,
                new SteadyClock(InstantSource.system(), System::nanoTime),
                new ClientIncidents(System::nanoTime, metrics),
                metrics);
        BucketPump reader = new BucketPump(bucketLog, 2);
        reader.start(roomy);
        reader.hold(Set.of(0, 1));
        bucketLog.add(0, command("m0", to(PUMP, pump)));
        await().pollInSameThread()
                .until(() -> reader.apply() >= 0 && stored(0, PUMP).size() == 1);
        queues.refuse(bucket -> true);
        for (int i = 1; i < 50; i++) {
            bucketLog.skip(0);
            bucketLog.add(0, command("m" + i, to(PUMP, pump)));
        }
        await().pollInSameThread().until(() -> reader.apply() >= 0 && count("heddle.buckets.apply.failures") > 0);
        store.losePosition(0);
        queues.heal();

        await().pollInSameThread()
                .until(() -> reader.apply() >= 0 && stored(0, PUMP).size() == 50);
        await().pollInSameThread().until(() -> reader.apply() >= 0 && positions.appliedOffset(0) == 98);
        assertThat(stored(0, PUMP)).startsWith("m0", "m1").endsWith("m49").doesNotHaveDuplicates();
        assertThat(sessions.rolledBack()).contains(0);
    }
}
