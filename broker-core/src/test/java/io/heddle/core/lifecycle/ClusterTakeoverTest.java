package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.Member;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.ProducerFencing;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.cluster.View;
import io.heddle.core.lifecycle.ClusterRole.Role;
import io.heddle.core.link.NoLinks;
import io.heddle.core.testkit.InMemoryProducerFencing.Producer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** Takeovers: a standby waits, fences the nodes that have ended, and takes the buckets. */
class ClusterTakeoverTest extends ClusterEntryFixture {
    private final SlowFencing slow = new SlowFencing();

    /** Fences like Kafka; a test acts after the ids are listed and before the node receives the list. */
    private final class SlowFencing implements ProducerFencing {
        private Runnable meanwhile = () -> {};
        private volatile boolean away;

        @Override
        public CompletionStage<Set<TransactionalId>> unfenced() {
            if (away) {
                return CompletableFuture.failedFuture(new StoreUnavailableException("a broker is down", null));
            }
            var listed = fencing.unfenced();
            Runnable once = meanwhile;
            meanwhile = () -> {};
            once.run();
            return listed;
        }

        @Override
        public CompletionStage<Void> fence(Set<TransactionalId> ids) {
            return fencing.fence(ids);
        }
    }

    @Test
    void theSecondNodeWaitsUntilTheFirstLeaves() {
        Node first = node("a").start();
        Producer producer = fencing.initialise(new TransactionalId(first.me(), 0));
        Node second = node("b");
        CompletableFuture<Void> started = CompletableFuture.runAsync(second::start);
        await().until(() ->
                log.records().stream().filter(Serving.class::isInstance).count() == 2);
        assertThat(started).isNotDone();
        assertThat(producer.commits()).isTrue();
        await().until(() -> second.role.role() == Role.STANDBY);
        assertThat(second.owners).extracting(Member::incarnation).containsExactly(first.me());
        View view = second.membership.view();
        assertThat(ClusterNode.other(second.owners.getFirst(), view, new NoLinks(), null)
                        .role())
                .isEqualTo(Role.SERVING);

        first.entry.stop();

        assertThat(started).succeedsWithin(Duration.ofSeconds(20));
        assertThat(second.membership.view().heldBy(second.me())).isEqualTo(ALL);
        assertThat(producer.commits()).isFalse();
        assertThat(second.role.role()).isEqualTo(Role.TAKING_OVER);
        nanos = TimeUnit.SECONDS.toNanos(3);
        second.role.start();
        assertThat(second.role.role()).isEqualTo(Role.SERVING);
        assertThat(second.registry.get("heddle.cluster.takeovers").counter().count())
                .isEqualTo(1);
        assertThat(second.registry
                        .get("heddle.cluster.takeover.last")
                        .timeGauge()
                        .value(TimeUnit.SECONDS))
                .isEqualTo(3);
    }

    @Test
    void aNodeThatNeverWaitedTakesOverFromNobody() {
        Node a = node("a").start();
        a.role.start();

        assertThat(a.role.role()).isEqualTo(Role.SERVING);
        assertThat(a.owners).isEmpty();
        assertThat(a.registry.get("heddle.cluster.serving").gauge().value()).isEqualTo(1);
        assertThat(a.registry.get("heddle.cluster.takeovers").counter().count()).isZero();
    }

    /**
     * The other node joined first, waited for an earlier run of itself, and becomes the owner while this node takes
     * the buckets.
     */
    @Test
    void aNodeWhoseBucketsAnotherTakesStandsBy() throws Exception {
        Incarnation other = dead("q");
        Node node = node("p", TIMEOUT, slow);
        slow.meanwhile = () -> {
            append(new Serving(other));
            append(new Took(other, ALL));
        };
        // Not the common pool, which the endless loop of this start would block for the other tests.
        CompletableFuture<Void> started = CompletableFuture.runAsync(
                node::start, task -> Thread.ofPlatform().daemon().start(task));
        await().until(() -> log.records().stream().anyMatch(each -> each.equals(new Took(other, ALL))));
        await().until(() -> node.role.role() == Role.STANDBY);
        long took = tooks(node.me());
        for (int i = 0; i < 5; i++) {
            append(new Serving(other));
            boolean _ = node.membership.await(_ -> false, BEAT);
        }
        assertThat(tooks(node.me()))
                .as("it takes nothing while another node serves")
                .isEqualTo(took);

        append(new Left(other));
        started.get(20, TimeUnit.SECONDS);
        assertThat(node.membership.view().heldBy(node.me())).isEqualTo(ALL);
    }

    private long tooks(Incarnation writer) {
        return log.records().stream()
                .filter(each -> each instanceof Took took && took.writer().equals(writer))
                .count();
    }

    @Test
    void aNodeThatServedAndLeftDuringTheFenceIsFencedBeforeItsBucketsAreTaken() throws Exception {
        Incarnation other = dead("q");
        List<Producer> producers = new CopyOnWriteArrayList<>();
        slow.meanwhile = () -> {
            append(new Serving(other));
            append(new Took(other, ALL));
            producers.add(fencing.initialise(new TransactionalId(other, 0)));
            append(new Left(other));
        };
        Node node = node("p", TIMEOUT, slow).start();

        assertThat(node.membership.view().heldBy(node.me())).isEqualTo(ALL);
        assertThat(producers.getFirst().commits())
                .as("a commit of the node that has left")
                .isFalse();
    }

    @Test
    void aStandbyRetriesTheFenceAsLongAsItTakes() throws Exception {
        Node first = node("a").start();
        slow.away = true;
        Node second = node("b", Duration.ofMillis(300), slow);
        CompletableFuture<Void> started = CompletableFuture.runAsync(second::start);
        await().until(() -> second.role.role() == Role.STANDBY);
        first.entry.stop();
        await().until(() -> second.role.role() == Role.TAKING_OVER);
        assertThat(second.membership.await(_ -> started.isDone(), Duration.ofMillis(900)))
                .as("it ends after its timeout")
                .isFalse();

        slow.away = false;
        started.get(20, TimeUnit.SECONDS);
        assertThat(second.membership.view().heldBy(second.me())).isEqualTo(ALL);
    }

    @Test
    void aNodeThatStartsAloneGivesTheFenceUp() {
        slow.away = true;
        Node node = node("a", Duration.ofMillis(300), slow);

        assertThatThrownBy(node::start).isInstanceOf(StartupException.class).hasMessageContaining("a broker is down");
        assertThat(lastChange()).isInstanceOf(Left.class);
    }

    @Test
    void aStandbyWhoseClockIsWrongByNowDoesNotTakeOver() {
        Node first = node("a").start();
        AtomicLong difference = new AtomicLong();
        Node second = node("b", () -> InstantSource.system().instant().plusMillis(difference.get()));
        CompletableFuture<Node> started = CompletableFuture.supplyAsync(second::start);
        await().until(() -> second.role.role() == Role.STANDBY);
        difference.set(40_000);
        first.entry.stop();

        assertThatThrownBy(() -> started.get(20, TimeUnit.SECONDS))
                .hasCauseInstanceOf(StartupException.class)
                .hasMessageContaining("ahead of the clock of Kafka");
        assertThat(lastChange()).isInstanceOf(Left.class);
    }
}
