package io.heddle.core.session.registrar.settlement;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.testkit.InMemoryClientLog;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * One node settles changes, and another one freezes, is cut off from Kafka, and reads slowly. While the lease of the second one is valid, it
 * knows every settled change.
 */
final class RoutingRecoveryProperty {
    private static final Duration LEASE = Duration.ofMillis(500);
    private static final Duration SILENCE = Duration.ofMillis(600);
    private static final Duration BEAT = Duration.ofMillis(100);
    private static final Duration STEP = Duration.ofMillis(10);
    private static final int STEPS = 3_000;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final TestView log = new TestView(1);
    private final InMemoryLinks links = new InMemoryLinks(1, 1 << 16, 1 << 16);
    private final InMemoryClientLog clients = new InMemoryClientLog();
    // All nodes have the same clock.
    private long nanos;
    private final Node holder = new Node(log.serve("holder"));
    private final Node other = new Node(log.serve("other"));
    private final CommittedOffsets committed = new CommittedOffsets(1);
    private final ClientLog commits = committed.of(clients);
    private final LinkSettlement settlement = new LinkSettlement(holder.reports, committed, holder.silence, metrics);
    private long settled = -1;
    private int settledInSilence;

    private final class Node {
        final ManualEventLoop loop = new ManualEventLoop(0);
        final Incarnation incarnation;
        final RoutingLease lease = new RoutingLease(LEASE, () -> nanos, new SimpleMeterRegistry());
        final SilentMembers silence = new SilentMembers(lease, SILENCE, () -> nanos);
        final FollowedReports reports;
        final List<Long> beats = new ArrayList<>();
        final List<Wait> reading = new ArrayList<>();
        long landsNanos;
        long nextBeatNanos;
        long sentNanos = -1;
        int applied;
        int frozenSteps;
        int cutSteps;

        private record Wait(int end, CompletableFuture<Void> read) {}

        Node(Incarnation incarnation) {
            this.incarnation = incarnation;
            reports = new FollowedReports(links.node(incarnation), 1, loop);
            reports.start(incarnation);
        }

        CompletionStage<Void> readToEnd() {
            CompletableFuture<Void> read = new CompletableFuture<>();
            reading.add(new Wait(clients.changes().size(), read));
            return read;
        }

        /** Kafka accepts the heartbeat. */
        void land() {
            if (sentNanos >= 0 && cutSteps == 0 && nanos >= landsNanos) {
                log.beat(incarnation);
                beats.add(sentNanos);
                sentNanos = -1;
            }
        }

        void step(RandomGenerator random) {
            if (frozenSteps > 0) {
                frozenSteps--;
                return;
            }
            if (sentNanos < 0 && nanos >= nextBeatNanos) {
                sentNanos = nanos;
                landsNanos = nanos + random.nextInt(10) * STEP.toNanos();
                nextBeatNanos = nanos + BEAT.toNanos();
            }
            if (cutSteps == 0) {
                beats.forEach(lease::renew);
                beats.clear();
                silence.onView(log.view());
                reports.onView(log.view());
                applied += random.nextInt(clients.changes().size() - applied + 1);
                reports.applied(0, applied);
                for (Iterator<Wait> all = reading.iterator(); all.hasNext(); ) {
                    Wait wait = all.next();
                    if (wait.end <= applied) {
                        all.remove();
                        wait.read.complete(null);
                    }
                }
            } else {
                cutSteps--;
            }
            loop.advance(STEP);
        }
    }

    @RepeatedTest(20)
    void aNodeWithAValidLeaseKnowsEverythingThatWasSettled(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        links.connect(holder.incarnation, other.incarnation);
        RoutingRecovery recovery = new RoutingRecovery(
                other::readToEnd, () -> CompletableFuture.completedStage(null), () -> nanos, metrics);
        other.lease.recoverWith(recovery);
        for (int i = 0; i < STEPS; i++) {
            nanos += STEP.toNanos();
            if (random.nextInt(20) == 0) {
                commit();
            }
            if (other.frozenSteps + other.cutSteps == 0 && random.nextInt(100) == 0) {
                int steps = random.nextInt(150);
                other.frozenSteps = random.nextBoolean() ? steps : 0;
                other.cutSteps = random.nextBoolean() ? steps : 0;
            }
            holder.land();
            other.land();
            holder.step(random);
            other.step(random);
            links.deliver();
            holder.loop.runTasks();
            if (other.frozenSteps == 0 && other.lease.isValid()) {
                assertThat((long) other.applied).as("seed %d, step %d", seed, i).isGreaterThan(settled);
            }
        }
        assertThat(settledInSilence).as("seed %d", seed).isPositive();
        assertThat(metrics.get("heddle.cluster.lease.recovery").timer().count()).isPositive();
    }

    private void commit() {
        commits.commit(0, List.of(new ClientChange.OfSession(new ClientId("c"), null)));
        long offset = committed.highest(0);
        settlement.whenFollowed(0).whenComplete((_, failure) -> {
            if (failure == null) {
                settled = Math.max(settled, offset);
                settledInSilence += offset >= other.applied ? 1 : 0;
            }
        });
    }
}
