package io.heddle.core.session.registrar.remote;

import static io.heddle.core.session.registrar.remote.RegistrarNodes.departure;
import static io.heddle.core.session.registrar.remote.RegistrarNodes.opened;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.session.registrar.ChangeOutcome;
import io.heddle.core.session.registrar.LeaveOutcome;
import io.heddle.core.session.registrar.OpenOutcome;
import io.heddle.core.session.registrar.SubscriptionChange;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Requests to the holder of a bucket while it dies, gives the bucket back, or is late. */
final class ClusterRegistrarTest {
    private final RegistrarNodes nodes = new RegistrarNodes();
    private final RegistrarNodes.Node a = nodes.a;
    private final RegistrarNodes.Node b = nodes.b;
    private final RegistrarNodes.Node c = nodes.c;

    private CompletableFuture<ChangeOutcome> change(RegistrarNodes.Node node, long epoch) {
        return node.registrar
                .change(new SubscriptionChange.Unsubscribe(RegistrarNodes.CLIENT, 7, epoch, List.of("t")))
                .toCompletableFuture();
    }

    @Test
    void theHolderAnswersItsOwnClientsAndThoseOfOtherNodes() {
        CompletableFuture<OpenOutcome> own = a.open("x");
        CompletableFuture<OpenOutcome> other = b.open("c");
        nodes.run();
        assertThat(a.own.calls).containsExactlyInAnyOrder("open x", "open c");

        a.own.openings.forEach(each -> each.complete(OpenOutcome.Refused.OTHER_USER));
        nodes.run();

        assertThat(own).isCompletedWithValue(OpenOutcome.Refused.OTHER_USER);
        assertThat(other).isCompletedWithValue(OpenOutcome.Refused.OTHER_USER);
        assertThat(b.metrics
                        .get("heddle.registrar.requests")
                        .tags("kind", "open", "outcome", "other_user")
                        .counter()
                        .count())
                .isOne();
        assertThat(b.metrics.get("heddle.registrar.waiting").gauge().value()).isZero();
        assertThat(b.loop.timers()).as("no limit is left").isZero();
    }

    @Test
    void aRequestIsRepeatedWhenTheHolderDies() {
        CompletableFuture<OpenOutcome> answer = b.open("c");
        nodes.run();
        nodes.kill(a);
        nodes.readAll();
        assertThat(answer).as("there is no holder").isNotDone();

        nodes.take(b);
        nodes.readAll();
        b.own.openings.getFirst().complete(opened(5));
        nodes.run();

        assertThat(answer).isCompletedWithValue(opened(5));
        assertThat(b.count("heddle.registrar.repeated")).isOne();
    }

    /** The record of the client names a connection of C that C does not know. */
    @Test
    void aGrantThatIsLostWithItsHolderIsAnsweredAsAbsent() {
        CompletableFuture<OpenOutcome> answer = c.open("c");
        nodes.run();
        a.own.openings.getFirst().complete(opened(5));
        nodes.kill(a);
        nodes.take(b);
        nodes.readAll();
        assertThat(b.own.calls).containsExactly("open c");

        b.registrar.close(c.incarnation.toString(), RegistrarNodes.CLIENT, 5);
        nodes.run();

        assertThat(b.own.calls).containsExactly("open c", "absent c 0 before " + RegistrarNodes.FIRST_EPOCH);
        assertThat(c.closed).isEmpty();
        assertThat(answer).isNotDone();
    }

    @Test
    void anOpeningThatWasGivenUpInDoubtIsReportedToTheNextHolder() {
        var _ = c.open("c");
        nodes.run();
        nodes.advance(Duration.ofSeconds(10));
        nodes.kill(a);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls).containsExactly("absent c 0 before " + RegistrarNodes.FIRST_EPOCH);
    }

    @Test
    void requestsAreRepeatedInTheirOrder() {
        c.registrar.leave(departure(1));
        CompletableFuture<OpenOutcome> opened = c.open("c");
        CompletableFuture<ChangeOutcome> changed = change(c, 2);
        CompletableFuture<LeaveOutcome> left = c.registrar.leave(departure(2)).toCompletableFuture();
        nodes.run();
        List<String> inOrder = List.of("leave c 1", "open c", "change c 2", "leave c 2");
        assertThat(a.own.calls).containsExactlyElementsOf(inOrder);

        nodes.kill(a);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls).containsExactlyElementsOf(inOrder);
        b.own.changes.getFirst().complete(new ChangeOutcome.NotHeld());
        b.own.departures.getLast().complete(LeaveOutcome.LEFT);
        nodes.run();
        assertThat(changed).isCompletedWithValue(new ChangeOutcome.NotHeld());
        assertThat(left).isCompleted();
        assertThat(opened).isNotDone();
    }

    /** A gives the bucket back and takes it again while requests of C are on their way. C still knows the first holding. */
    @Test
    void aLaterRequestDoesNotOvertakeOneThatWasMeantForAnEarlierHolding() {
        var _ = change(c, 1);
        nodes.run();
        a.registrar.release(0);
        nodes.log.release(a.incarnation);
        a.own.changes.getFirst().complete(ChangeOutcome.Moved.INSTANCE);
        nodes.run();
        nodes.take(a);
        a.own.calls.clear();

        var _ = change(c, 2);
        nodes.run();
        assertThat(a.own.calls)
                .as("C has not read that A has released the bucket")
                .isEmpty();
        nodes.readAll();

        assertThat(a.own.calls).containsExactly("change c 1", "change c 2");
    }

    @Test
    void requestsFollowTheBucketThroughSeveralHoldersInTheirOrder() {
        nodes.release(a);
        var _ = change(c, 1);
        nodes.run();
        nodes.take(b);
        nodes.release(b);
        var _ = change(c, 2);
        nodes.run();

        nodes.take(c);
        nodes.readAll();

        assertThat(c.own.calls).containsExactly("change c 1", "change c 2");
        assertThat(a.own.calls).isEmpty();
        assertThat(b.own.calls).isEmpty();
    }

    @Test
    void anOpeningThatWasGivenUpWhileThereIsNoHolderIsReportedToTheNextOne() {
        var _ = c.open("c");
        nodes.run();
        nodes.kill(a);
        nodes.readAll();
        nodes.advance(Duration.ofSeconds(10));
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls).containsExactly("absent c 0 before " + RegistrarNodes.FIRST_EPOCH);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void anOpeningIsNotSentOnceItsClientIsLost(boolean wasSent) {
        AtomicBoolean isLost = new AtomicBoolean();
        CompletableFuture<OpenOutcome> answer = new CompletableFuture<>();
        if (wasSent) {
            answer = c.open("c", isLost::get);
            nodes.run();
        }
        nodes.kill(a);
        nodes.readAll();
        if (!wasSent) {
            answer = c.open("c", isLost::get);
        }
        isLost.set(true);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls)
                .isEqualTo(wasSent ? List.of("absent c 0 before " + RegistrarNodes.FIRST_EPOCH) : List.of());
        assertThat(answer).isCompletedWithValueMatching(OpenOutcome.Unavailable.class::isInstance);
        assertThat(c.metrics.get("heddle.registrar.waiting").gauge().value()).isZero();
        assertThat(c.loop.timers()).isZero();
    }

    @Test
    void aRequestToAHolderThatHasNotBegunWaits() {
        nodes.release(a);
        nodes.log.write(new Serving(b.incarnation));
        nodes.log.take(b.incarnation);
        c.read();
        a.read();
        CompletableFuture<OpenOutcome> answer = c.open("c");
        nodes.run();
        assertThat(b.own.calls).as("B has not read of its own record").isEmpty();

        b.read();
        nodes.run();
        assertThat(b.own.calls).as("B reads the log of the clients").isEmpty();
        b.hold();
        b.own.openings.getFirst().complete(opened(5));
        nodes.run();

        assertThat(answer).isCompletedWithValue(opened(5));
    }

    @Test
    void anAnswerThatSaysMovedWaitsForTheNextHolder() {
        CompletableFuture<LeaveOutcome> left = b.registrar.leave(departure(4)).toCompletableFuture();
        CompletableFuture<OpenOutcome> opened = a.open("x");
        nodes.run();
        a.own.departures.getFirst().complete(LeaveOutcome.MOVED);
        a.own.openings.getFirst().complete(OpenOutcome.Moved.INSTANCE);
        nodes.run();
        assertThat(left).isNotDone();
        assertThat(opened).isNotDone();

        nodes.release(a);
        nodes.take(b);
        nodes.readAll();

        assertThat(b.own.calls).containsExactlyInAnyOrder("leave c 4", "open x");
    }

    @Test
    void theLateGrantOfAnEarlierHolderIsGivenBackAndNotUsed() {
        CompletableFuture<OpenOutcome> answer = c.open("c");
        nodes.run();
        nodes.release(a);
        nodes.take(b);
        nodes.readAll();
        assertThat(b.own.calls).containsExactly("open c");

        a.own.openings.getFirst().complete(opened(5));
        nodes.run();

        assertThat(answer).isNotDone();
        assertThat(b.own.calls).containsExactly("open c", "leave c 5");
        assertThat(b.own.left.getFirst().will()).isNull();
        assertThat(c.count("heddle.registrar.late")).isOne();
        b.own.openings.getFirst().complete(opened(6));
        nodes.run();
        assertThat(answer).isCompletedWithValue(opened(6));
    }

    /** C has not read that B is the holder now, but B asks it to close a connection. */
    @Test
    void aNodeThatHasAnsweredTheNextHolderUsesNoGrantOfTheEarlierOne() {
        CompletableFuture<OpenOutcome> answer = c.open("c");
        nodes.run();
        nodes.release(a);
        nodes.take(b);
        b.registrar.close(c.incarnation.toString(), RegistrarNodes.CLIENT, 5);
        nodes.run();

        a.own.openings.getFirst().complete(opened(5));
        nodes.run();

        assertThat(answer).as("promised to B").isNotDone();
        c.read();
        nodes.run();
        assertThat(b.own.calls).contains("open c", "leave c 5");
    }

    @Test
    void aGrantForANodeThatHasEndedIsLeftByTheHolder() {
        var _ = c.open("c");
        nodes.run();
        nodes.kill(c);
        nodes.readAll();

        a.own.openings.getFirst().complete(opened(5));
        nodes.run();

        assertThat(a.own.calls).containsExactly("open c", "leave c 5");
    }

    @Test
    void aGrantWaitsUntilTheNodeKnowsTheSession() {
        c.applied = new CompletableFuture<>();
        CompletableFuture<OpenOutcome> answer = c.open("c");
        nodes.run();
        a.own.openings.getFirst().complete(opened(5));
        a.registrar.close(c.incarnation.toString(), RegistrarNodes.CLIENT, 5);
        nodes.run();
        assertThat(answer).isNotDone();
        assertThat(c.closed).as("not before the connection has the session").isEmpty();

        c.applied.complete(null);
        nodes.run();

        assertThat(answer).isCompletedWithValue(opened(5));
        assertThat(c.closed).containsExactly("c 5");
    }

    @Test
    void requestsWaitForRoomInTheirOrder() {
        nodes.links.cut(c.incarnation, a.incarnation);
        for (int i = 0; i < 20_000; i++) {
            var _ = c.open("client-" + i);
        }
        var _ = change(c, 1);
        nodes.run();
        nodes.links.heal(c.incarnation, a.incarnation);
        nodes.run();
        assertThat(a.own.calls).hasSizeLessThan(20_001);

        nodes.advance(Duration.ofMillis(100));
        nodes.advance(Duration.ofMillis(100));

        assertThat(a.own.calls).hasSize(20_001).endsWith("change c 1");
        assertThat(a.own.calls.get(19_999)).isEqualTo("open client-19999");
    }

    @Test
    void aRequestLargerThanAFrameIsRefused() {
        CompletableFuture<ChangeOutcome> answer = c.registrar
                .change(new SubscriptionChange.Unsubscribe(
                        RegistrarNodes.CLIENT, 7, 1, List.of("t".repeat(40_000), "u".repeat(40_000))))
                .toCompletableFuture();
        nodes.run();

        assertThat(answer).isCompletedWithValueMatching(ChangeOutcome.Failed.class::isInstance);
        var _ = change(c, 1);
        nodes.run();
        assertThat(a.own.calls).containsExactly("change c 1");
    }

    @Test
    void aMalformedFrameChangesNothing() {
        assertThatExceptionOfType(MalformedFrameException.class)
                .isThrownBy(() -> a.registrar.onFrame(b.incarnation, new byte[] {1, 99}));
        // Of a bucket that does not exist, and the answer to a request that does not exist.
        a.registrar.onFrame(b.incarnation, new RegistrarFrame.Announce(99, 77, List.of()).encode());
        a.registrar.onFrame(b.incarnation, new RegistrarFrame.Left(-5, true).encode());
        nodes.run();

        assertThat(a.own.calls).isEmpty();
    }
}
