package io.heddle.core.lifecycle;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import io.heddle.core.cluster.TransactionalId;
import io.heddle.core.testkit.InMemoryProducerFencing.Producer;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import org.junit.jupiter.api.Test;

class ClusterEntryTest extends ClusterEntryFixture {
    @Test
    void theFirstNodeTakesAllBuckets() {
        Node a = node("a").start();

        assertThat(a.membership.view().heldBy(a.me())).isEqualTo(ALL);
        assertThat(log.records().getFirst()).isInstanceOf(Joined.class);
        assertThat(log.records()).containsSubsequence(List.<NodeRecord>of(new Serving(a.me()), new Took(a.me(), ALL)));
        await().until(() -> log.records().stream().anyMatch(Heartbeat.class::isInstance));

        a.entry.stop();
        assertThat(lastChange()).isEqualTo(new Left(a.me()));
    }

    @Test
    void theIdsOfARunThatEndedWithoutLeavingAreFencedAfterItsDeathIsRecorded() throws Exception {
        Incarnation before = dead("a");
        Producer producer = fencing.initialise(new TransactionalId(before, 0));

        Node a = node("a").start();

        assertThat(producer.commits()).isFalse();
        assertThat(a.membership.view().members()).hasSize(1);
        assertThat(log.records()).contains(new Dead(a.me(), before, before.offset()));
    }

    @Test
    void theIdsOfANodeThatTheLogHasForgottenAreFenced() {
        Producer forgotten = fencing.initialise(new TransactionalId(new Incarnation(1_000, 3), 1));

        node("a").start();

        assertThat(forgotten.commits()).isFalse();
    }

    @Test
    void aNodeThatIsAloneDoesNotWaitForEarlierRuns() throws Exception {
        Incarnation same = dead("a");
        Incarnation other = dead("b");

        Node a = new Node("a", true, TIMEOUT, fencing, InstantSource.system()).start();

        assertThat(log.records())
                .contains(new Dead(a.me(), same, same.offset()), new Dead(a.me(), other, other.offset()));
        assertThat(log.records().stream().filter(Heartbeat.class::isInstance).count())
                .isLessThan(LEASE.dividedBy(BEAT));
    }

    @Test
    void aNodeWhoseEarlierProcessHasEndedDoesNotWait() throws Exception {
        Incarnation before = dead("a");
        ended.add("process of a");

        Node a = node("a").start();

        assertThat(log.records()).contains(new Dead(a.me(), before, before.offset()));
        assertThat(log.records().stream().filter(Heartbeat.class::isInstance).count())
                .isLessThan(LEASE.dividedBy(BEAT));
    }

    @Test
    void aNodeIdThatIsInUseIsRefused() {
        Node first = node("a").start();
        Node second = node("a");

        assertThatThrownBy(second::start)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("the node id a is in use by a running node at 10.0.0.5")
                .hasMessageContaining("set heddle.node.id");
        assertThat(first.membership.view().members()).hasSize(1);
        assertThat(log.records()).contains(new Left(second.me()));
        assertThat(first.membership.isOver()).isFalse();
    }

    @Test
    void aNodeWithOtherRulesIsRefused() throws Exception {
        member("b", NodeDescription.ALL_SERVE);

        assertThatThrownBy(node("a")::start)
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("node b at 10.0.0.6")
                .hasMessageContaining("another value of heddle.cluster.serving-nodes");
    }

    @Test
    void aNodeOfAnotherBuildIsRefused() throws Exception {
        member("b", NodeDescription.featureLevel(NodeDescription.ONE_SERVES));
        Node a = node("a");

        assertThatThrownBy(a::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching(
                        "node b at 10\\.0\\.0\\.6 \\(incarnation .*\\) is of another build of Heddle, which has the"
                                + " formats [1-9]\\d*, and this one has the formats 0: start all nodes with the same build");
        assertThat(log.records()).contains(new Left(a.me()));
    }

    @Test
    void aWrongClockIsRefused() {
        InstantSource ahead = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(40));
        InstantSource behind = InstantSource.offset(InstantSource.system(), Duration.ofSeconds(-40));

        assertThatThrownBy(node("a", ahead)::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching("the clock of this machine is (39|40) s ahead of the clock of Kafka, .*");
        assertThatThrownBy(node("b", behind)::start)
                .isInstanceOf(StartupException.class)
                .hasMessageMatching("the clock of this machine is (39|40) s behind the clock of Kafka, .*");
        assertThat(lastChange()).isInstanceOf(Left.class);
    }
}
