package io.heddle.core.session.registrar.settlement;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.message.frame.MalformedFrameException;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.testkit.InMemoryClientLog;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** Three nodes that follow the log of the clients at different speeds. A commits. */
final class LinkSettlementTest {
    private static final int BUCKET = 1;
    private static final Duration GATHER = Duration.ofMillis(2);

    private final TestView log = new TestView(2);
    private final InMemoryLinks links = new InMemoryLinks(1, 1 << 16, 1 << 16);
    private final InMemoryClientLog clients = new InMemoryClientLog();
    private final List<Node> nodes = new ArrayList<>();
    private final Node a = new Node(log.serve("a"));
    private final Node b = new Node(log.serve("b"));
    private final Node c = new Node(log.serve("c"));

    LinkSettlementTest() {
        readAll();
    }

    private final class Node {
        final ManualEventLoop loop = new ManualEventLoop(0);
        final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        final Incarnation incarnation;
        final CommittedOffsets committed = new CommittedOffsets(2);
        final ClientLog commits = committed.of(clients);
        final FollowedReports reports;
        final JoinBarrier barrier;
        final LinkSettlement settlement;

        Node(Incarnation incarnation) {
            this.incarnation = incarnation;
            nodes.forEach(each -> links.connect(incarnation, each.incarnation));
            reports = new FollowedReports(links.node(incarnation), 2, loop);
            reports.start(incarnation);
            barrier = new JoinBarrier(reports);
            settlement = new LinkSettlement(reports, committed, metrics);
            nodes.add(this);
        }

        void read() {
            reports.onView(log.view());
        }

        void applyAll() {
            reports.applied(BUCKET, clients.changes().size());
        }
    }

    private CompletableFuture<Void> change() {
        a.commits.commit(BUCKET, List.of(new ClientChange.OfSession(new ClientId("c"), null)));
        CompletionStage<Void> settled = a.settlement.whenFollowed(BUCKET);
        run();
        return settled.toCompletableFuture();
    }

    private void run() {
        int ran;
        do {
            ran = links.deliver();
            for (Node each : nodes) {
                ran += each.loop.runTasks();
            }
        } while (ran > 0);
    }

    private void advance(Duration time) {
        run();
        nodes.forEach(each -> each.loop.advance(time));
        run();
    }

    private void readAll() {
        nodes.forEach(Node::read);
        run();
    }

    private void kill(Node dead) {
        nodes.remove(dead);
        nodes.forEach(each -> links.end(each.incarnation, dead.incarnation));
        log.kill(a.incarnation, dead.incarnation);
        readAll();
    }

    @Test
    void aChangeIsSettledWhenTheSlowestNodeHasAppliedIt() {
        CompletableFuture<Void> settled = change();
        a.applyAll();
        b.applyAll();
        advance(GATHER);
        assertThat(settled).isNotDone();
        assertThat(a.metrics.get("heddle.settlement.waiting").gauge().value()).isOne();

        advance(Duration.ofHours(1));
        assertThat(settled).as("a member that lives is waited for").isNotDone();
        c.applyAll();
        advance(GATHER);

        assertThat(settled).isCompleted();
        assertThat(a.metrics.get("heddle.settlement.waiting").gauge().value()).isZero();
        assertThat(a.metrics.get("heddle.settlement").timer().count()).isOne();
    }

    @Test
    void theNodeThatCommitsFollowsItsOwnChanges() {
        CompletableFuture<Void> settled = change();
        b.applyAll();
        c.applyAll();
        advance(GATHER);
        assertThat(settled).isNotDone();

        a.applyAll();
        run();

        assertThat(settled).isCompleted();
    }

    @Test
    void changesAreSettledOneByOne() {
        CompletableFuture<Void> first = change();
        nodes.forEach(Node::applyAll);
        CompletableFuture<Void> second = change();
        advance(GATHER);

        assertThat(first).isCompleted();
        assertThat(second).isNotDone();
    }

    @Test
    void aDeadNodeIsNotWaitedFor() {
        CompletableFuture<Void> settled = change();
        a.applyAll();
        b.applyAll();
        advance(GATHER);
        assertThat(settled).isNotDone();

        kill(c);

        assertThat(settled).isCompleted();
    }

    @Test
    void aNodeThatJoinsIsWaitedForUnlessItOnlyFollows() {
        Incarnation joined = log.join("d");
        readAll();
        CompletableFuture<Void> settled = change();
        nodes.forEach(Node::applyAll);
        advance(GATHER);
        assertThat(settled).as("nothing is known of the new node").isNotDone();

        Node d = new Node(joined);
        d.read();
        readAll();
        advance(GATHER);

        assertThat(settled).as("it only follows").isCompleted();
    }

    @Test
    void aJoinerReadsTheEndsWhenAllMembersWaitForIt() {
        Node d = new Node(log.join("d"));
        a.read();
        b.read();
        d.read();
        CompletableFuture<Void> passed = d.barrier.enter().toCompletableFuture();
        run();
        advance(GATHER);
        assertThat(passed).as("C has not read that the node has joined").isNotDone();

        c.read();
        run();

        assertThat(passed).isCompleted();
        CompletableFuture<Void> settled = change();
        a.applyAll();
        b.applyAll();
        c.applyAll();
        advance(GATHER);
        assertThat(settled).as("the joiner is waited for").isNotDone();
        d.applyAll();
        advance(GATHER);
        assertThat(settled).isCompleted();
    }

    @Test
    void theBarrierDoesNotWaitForADeadMember() {
        Node d = new Node(log.join("d"));
        links.cut(c.incarnation, d.incarnation);
        readAll();
        CompletableFuture<Void> passed = d.barrier.enter().toCompletableFuture();
        run();
        assertThat(passed).isNotDone();

        kill(c);

        assertThat(passed).isCompleted();
    }

    @Test
    void aServingNodeIsWaitedForWhateverItReports() {
        Node d = new Node(log.join("d"));
        readAll();
        log.write(new Serving(d.incarnation));
        readAll();
        CompletableFuture<Void> settled = change();
        a.applyAll();
        b.applyAll();
        c.applyAll();
        advance(GATHER);

        assertThat(settled).isNotDone();
    }

    @Test
    void aReportWaitsForRoom() {
        links.cut(c.incarnation, a.incarnation);
        CompletableFuture<Void> settled = change();
        a.applyAll();
        b.applyAll();
        for (int next = 2; next < 2_000; next++) {
            c.reports.applied(BUCKET, next);
            advance(GATHER);
        }
        links.heal(c.incarnation, a.incarnation);
        run();
        CompletableFuture<Void> last = a.settlement.whenFollowed(0).toCompletableFuture();
        advance(Duration.ofMillis(100));

        assertThat(settled).isCompleted();
        assertThat(last).as("nothing was committed in this bucket").isCompleted();
    }

    @Test
    void aGrantWaitsUntilThisNodeHasAppliedItsRecord() {
        CompletionStage<Void> applied = b.settlement.whenApplied(BUCKET, 4);
        b.reports.applied(BUCKET, 4);
        run();
        assertThat(applied.toCompletableFuture()).isNotDone();

        b.reports.applied(BUCKET, 5);
        run();

        assertThat(applied.toCompletableFuture()).isCompleted();
    }

    @Test
    void theEndOfTheLogAtTheTakeoverCountsAsCommitted() {
        a.committed.onTaken(BUCKET, 7);

        assertThat(a.committed.highest(BUCKET)).isEqualTo(6);
        assertThat(a.committed.highest(0)).isEqualTo(-1);
    }

    @Test
    void aReportIsReadAsItWasWritten() {
        FollowedFrame report = new FollowedFrame(true, Map.of(0, 5L, 1, Long.MAX_VALUE));
        byte[] bytes = report.encode();

        assertThat(FollowedFrame.decode(bytes, 2)).isEqualTo(report);
        for (int length = 0; length < bytes.length; length++) {
            byte[] truncated = Arrays.copyOf(bytes, length);
            assertThatExceptionOfType(MalformedFrameException.class)
                    .isThrownBy(() -> FollowedFrame.decode(truncated, 2));
        }
        assertThatExceptionOfType(MalformedFrameException.class).isThrownBy(() -> FollowedFrame.decode(bytes, 1));
    }
}
