package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.BucketBatch.Logged;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.RecordingQueueReader;
import io.heddle.core.testkit.UnboundedLag;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** Buckets that a writer begins to hold and releases while it runs. */
final class BucketHoldingTest extends BucketWriterFixture {
    private static final QueueBounds ROOMY = new QueueBounds(100, 1_000_000, false, 1);

    private final Registration pump = connect(0, PUMP);
    private final RecordingQueueReader reader = sessions.reading(PUMP, pump, loop);
    private final List<String> heard = new ArrayList<>();

    private CompletableFuture<Void> release(int bucket) {
        return writer.release(Set.of(bucket)).toCompletableFuture();
    }

    /** Sends a command of bucket 0 to the queues, which do not answer until they are released. */
    private void applyWithoutAnswer() {
        placed(writer);
        queues.hold();
        apply(0, at(0, "one", to(PUMP, pump)));
    }

    private boolean isRead(BucketWriter by, int bucket) {
        turn(by);
        return by.canRead(bucket);
    }

    @Test
    void aBucketThatIsNotHeldIsNotApplied() {
        assertThat(release(0)).isDone();

        assertThat(placed(writer)).containsOnlyKeys(1);
        assertThat(isRead(writer, 0)).isFalse();
        Logged one = at(0, "one", to(PUMP, connect(0, PUMP)));
        assertThatThrownBy(() -> writer.onCommands(0, List.of(one), 0))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("bucket 0 is not held");
        assertThat(writer.blockReason(0)).isNull();
        writer.rewind(Set.of(0));
        assertThat(release(0)).as("not held").isDone();
        assertThat(positions.held()).containsExactly(1);
    }

    @Test
    void aBatchInFlightIsFinishedBeforeTheReleaseCompletes() {
        applyWithoutAnswer();
        writer.onCommands(0, List.of(at(1, "two", to(PUMP, pump))), 0);

        CompletableFuture<Void> released = release(0);
        assertThat(released).isNotDone();
        assertThat(writer.pendingAnswers()).isOne();
        queues.release();
        turn(writer);

        assertThat(released).isDone();
        assertThat(writer.pendingAnswers()).isZero();
        assertThat(stored(0, PUMP)).as("what was buffered is dropped").containsExactly("one");
        loop.runTasks();
        assertThat(reader.heard()).containsExactly("1 one");
        assertThat(positions.lastPosition(0)).as("unknown").isNull();
        assertThat(positions.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void theBufferOfAReleasedBucketIsDropped() {
        placed(writer);
        queues.hold();
        apply(0, at(0, "one", to(PUMP, pump)), at(1, "two", to(PUMP, pump)));
        assertThat(metrics.get("heddle.buckets.buffered.bytes").gauge().value()).isPositive();

        var _ = release(0);
        turn(writer);

        assertThat(metrics.get("heddle.buckets.buffered.bytes").gauge().value()).isZero();
        queues.release();
    }

    @Test
    void aBucketThatIsHeldAgainContinuesWhereAnotherWriterHasStopped() {
        BucketPositions elsewhere = UnboundedLag.positions(2);
        BucketWriter other = writer(ROOMY, elsewhere);
        placed(writer);
        apply(0, at(0, "one", to(PUMP, pump)));
        assertThat(release(0)).isDone();

        placed(other);
        apply(other, 0, at(3, "two", to(PUMP, pump)), at(4, "three", to(PUMP, pump)));
        answer(other.release(Set.of(0)));
        writer.hold(Set.of(0));

        assertThat(placed(writer)).isEqualTo(Map.of(0, 4L));
        assertThat(positions.appliedOffset(0)).isEqualTo(4);
        assertThat(count("heddle.buckets.rollbacks")).isZero();
        assertThat(stored(0, PUMP)).containsExactly("one", "two", "three");
    }

    @Test
    void theConnectedSessionsOfABucketThatIsHeldAgainAreRegisteredFirst() {
        placed(writer);
        sessions.rolledBack().clear();
        var _ = release(1);

        writer.hold(Set.of(1));
        placed(writer);

        assertThat(sessions.rolledBack()).containsExactly(1);
    }

    @Test
    void aReleaseDoesNotWaitForAStoreThatDoesNotAnswer() {
        applyWithoutAnswer();
        CompletableFuture<Void> released = release(0);
        advance(AnswerTimes.OVERDUE_MILLIS - 1);
        assertThat(released).isNotDone();

        advance(1);

        assertThat(released).isDone();
        assertThat(writer.pendingAnswers()).isZero();
        queues.release();
        turn(writer);
        loop.runTasks();
        assertThat(reader.heard()).as("the late answer is ignored").isEmpty();
        assertThat(writer.pendingAnswers()).isZero();
        assertThat(positions.isHeld(0)).isFalse();
    }

    @Test
    void aReleaseOfABucketWhoseAnswerIsOverdueCompletesInTheSameTurn() {
        applyWithoutAnswer();
        advance(AnswerTimes.OVERDUE_MILLIS);

        CompletableFuture<Void> released = release(0);
        turn(writer);

        assertThat(released).isDone();
        assertThat(writer.pendingAnswers()).isZero();
    }

    /** The thread was busy for longer than an answer may take, and the answer is queued behind the release. */
    @Test
    void anAnswerThatHasArrivedIsNotOverdue() {
        placed(writer);
        List<Runnable> answers = new ArrayList<>();
        writer.start(answers::add);
        apply(0, at(0, "one", to(PUMP, pump)));
        nanos.addAndGet(TimeUnit.MILLISECONDS.toNanos(2 * AnswerTimes.OVERDUE_MILLIS));

        CompletableFuture<Void> released = release(0);
        List.copyOf(answers).forEach(Runnable::run);
        turn(writer);

        assertThat(released).isDone();
        loop.runTasks();
        assertThat(reader.heard()).containsExactly("1 one");
    }

    @Test
    void aBucketMayBeHeldAgainBeforeItsReleaseCompletes() {
        applyWithoutAnswer();
        CompletableFuture<Void> released = release(0);

        writer.hold(Set.of(0));
        turn(writer);
        assertThat(released).isNotDone();
        assertThat(writer.pendingAnswers()).as("the batch and the position").isEqualTo(2);
        queues.release();

        assertThat(placed(writer)).isEqualTo(Map.of(0, 0L));
        assertThat(released).isDone();
        loop.runTasks();
        assertThat(reader.heard()).containsExactly("1 one");
    }

    @Test
    void aSecondReleaseWaitsForTheFirstOne() {
        applyWithoutAnswer();
        CompletableFuture<Void> first = release(0);

        CompletableFuture<Void> second = release(0);

        assertThat(second).isNotDone();
        queues.release();
        assertThat(first).isDone();
        assertThat(second).isDone();
    }

    @Test
    void thePauseAfterFailuresIsNotRemembered() {
        queues.refuse(bucket -> true);
        for (int i = 0; i < 20; i++) {
            advance(BucketChain.LONGEST_PAUSE_MILLIS);
        }
        var _ = release(0);
        queues.heal();
        writer.hold(Set.of(0));

        assertThat(isRead(writer, 0)).isTrue();
        assertThat(isRead(writer, 1)).as("still pauses").isFalse();
    }

    @Test
    void aRejectionAfterTheReleaseMakesNoDeadLetter() {
        placed(writer);
        List<Runnable> answers = new ArrayList<>();
        writer.start(answers::add);
        queues.reject(_ -> true);
        apply(0, at(0, "poison", to(PUMP, pump)));
        CompletableFuture<Void> released = release(0);
        assertThat(released).isNotDone();

        List.copyOf(answers).forEach(Runnable::run);
        turn(writer);

        assertThat(released).isDone();
        assertThat(messageLog.deadLetters()).isEmpty();
        assertThat(writer.pendingAnswers()).isZero();
    }

    @Test
    void tasksThatWaitForAReleasedBucketAreTold() {
        placed(writer);
        positions.appended(0, 7, 1, 1);
        positions.whenApplied(0, () -> heard.add("applied"), () -> heard.add("released"));

        var _ = release(0);
        assertThat(heard).containsExactly("released");
        positions.whenApplied(0, () -> heard.add("applied"), () -> heard.add("not held"));
        assertThat(heard).containsExactly("released", "not held");
    }

    @Test
    void tasksWaitForThePositionOfABucketThatIsHeldAgain() {
        placed(writer);
        apply(0, at(0, "one", to(PUMP, pump)));
        positions.appended(0, 0, 1, 1);
        var _ = release(0);

        writer.hold(Set.of(0));
        positions.whenApplied(0, () -> heard.add("applied"), () -> heard.add("released"));
        assertThat(heard).isEmpty();
        placed(writer);

        assertThat(heard).containsExactly("applied");
        BucketPosition known = positions.lastPosition(0);
        assertThat(known).isNotNull();
    }

    @Test
    void aReleaseDelaysNoOtherBucket() {
        Registration valve = connect(1, VALVE);
        applyWithoutAnswer();
        queues.holdNoMore();
        var _ = release(0);

        Logged two = at(0, "two", to(VALVE, valve));
        apply(1, two);

        assertThat(stored(1, VALVE)).containsExactly("two");
        queues.release();
    }
}
