package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** A lease that is valid only when the node has learned what others have settled without it. */
final class LeaseRecoveryTest {
    private static final long DURATION = 5_000;

    private final List<CompletableFuture<Void>> begun = new ArrayList<>();
    private final List<String> ran = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - DURATION / 2;
    private final RoutingLease lease =
            new RoutingLease(Duration.ofNanos(DURATION), () -> nanos, new SimpleMeterRegistry());

    LeaseRecoveryTest() {
        lease.recoverWith(() -> {
            CompletableFuture<Void> recovery = new CompletableFuture<>();
            begun.add(recovery);
            return recovery;
        });
    }

    private void beat() {
        lease.renew(nanos);
    }

    private void recover() {
        begun.removeFirst().complete(null);
    }

    private void beValid() {
        beat();
        recover();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aHeartbeatBeginsTheRecoveryAndTheLeaseIsValidAfterIt() {
        assertThat(lease.isValid()).isFalse();
        lease.whenValid(() -> ran.add("waiting"));
        beat();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.covers(lease.term())).isFalse();
        assertThat(begun).hasSize(1);

        recover();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.covers(lease.term())).isTrue();
        assertThat(ran).containsExactly("waiting");
    }

    @Test
    void aRecoveryIsBegunOnceInATerm() {
        beat();
        nanos += DURATION / 2;
        beat();
        assertThat(begun).hasSize(1);
        nanos += DURATION - 1;

        recover();
        assertThat(lease.isValid()).isTrue();
        beat();
        assertThat(begun).isEmpty();
    }

    @Test
    void aHeartbeatInTimeContinuesTheTerm() {
        beValid();
        long term = lease.term();
        nanos += DURATION - 1;
        beat();

        assertThat(lease.covers(term)).isTrue();
        assertThat(begun).isEmpty();
    }

    @Test
    void aLapseThatNobodyNoticedEndsTheTerm() {
        beValid();
        long term = lease.term();
        nanos += DURATION;
        assertThat(lease.covers(term)).isFalse();
        beat();
        assertThat(lease.isValid()).isFalse();
        assertThat(lease.covers(term)).isFalse();

        recover();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.covers(term)).as("routed before the lapse").isFalse();
        assertThat(lease.covers(lease.term())).isTrue();
    }

    @Test
    void aRecoveryThatALapseHasInterruptedIsVoid() {
        beat();
        long term = lease.term();
        nanos += DURATION;
        begun.removeFirst().complete(null);
        assertThat(lease.isValid()).as("the lease has ended meanwhile").isFalse();
        beat();
        assertThat(lease.isValid()).isFalse();
        assertThat(begun).hasSize(1);

        recover();
        assertThat(lease.isValid()).isTrue();
        assertThat(lease.covers(term)).isFalse();
    }

    @Test
    void aRecoveryOfAnEarlierTermThatEndsLateIsVoid() {
        beat();
        nanos += DURATION;
        beat();
        assertThat(begun).hasSize(2);
        begun.removeFirst().complete(null);
        assertThat(lease.isValid()).isFalse();

        recover();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void aHeartbeatThatTookTooLongBeginsNothing() {
        nanos += DURATION;
        lease.renew(nanos - DURATION);
        assertThat(begun).isEmpty();
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void theNextHeartbeatRepeatsARecoveryThatFailed() {
        beat();
        begun.removeFirst().completeExceptionally(new IllegalStateException("the log does not answer"));
        assertThat(lease.isValid()).isFalse();
        beat();
        assertThat(begun).hasSize(1);

        recover();
        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void tasksWaitForTheRecovery() {
        beValid();
        nanos += DURATION;
        lease.whenValid(() -> ran.add("a"));
        beat();
        assertThat(ran).isEmpty();

        recover();
        assertThat(ran).containsExactly("a");
    }

    @Test
    void beforeTheNodeRoutesEveryTermIsCovered() {
        RoutingLease before = new RoutingLease(Duration.ofNanos(DURATION), () -> nanos, new SimpleMeterRegistry());
        assertThat(before.covers(before.term())).isTrue();
        before.renew(nanos);
        assertThat(before.isValid()).isTrue();
        assertThat(RoutingLease.unlimited().covers(0)).isTrue();
    }
}
