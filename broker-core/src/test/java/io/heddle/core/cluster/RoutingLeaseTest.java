package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class RoutingLeaseTest {
    private static final long DURATION = 5_000;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final List<String> ran = new ArrayList<>();
    private long nanos = Long.MAX_VALUE - DURATION / 2;
    private final RoutingLease lease = new RoutingLease(Duration.ofNanos(DURATION), () -> nanos, registry);

    private double waiting() {
        return registry.get("heddle.cluster.lease.publishers").gauge().value();
    }

    @Test
    void itHasEndedBeforeTheFirstRenewal() {
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void itIsValidForItsDurationAfterTheHeartbeatWasSent() {
        long sent = nanos;
        nanos += 1_000;
        lease.renew(sent);
        nanos = sent + DURATION - 1;
        assertThat(lease.isValid()).isTrue();

        nanos++;
        assertThat(lease.isValid()).isFalse();
    }

    @Test
    void itKnowsHowLongAgoItEnded() {
        lease.renew(nanos);
        nanos += DURATION + 99;
        assertThat(lease.hasEndedFor(Duration.ofNanos(100))).isFalse();

        nanos++;
        assertThat(lease.hasEndedFor(Duration.ofNanos(100))).isTrue();
        lease.renew(nanos);
        assertThat(lease.hasEndedFor(Duration.ZERO)).isFalse();
        assertThat(RoutingLease.unlimited().hasEndedFor(Duration.ZERO)).isFalse();
    }

    @Test
    void anEarlierHeartbeatDoesNotShortenIt() {
        lease.renew(nanos);
        lease.renew(nanos - DURATION);

        assertThat(lease.isValid()).isTrue();
    }

    @Test
    void tasksWaitUntilItIsValidAgain() {
        lease.whenValid(() -> ran.add("a"));
        Runnable cancelled = () -> ran.add("cancelled");
        lease.whenValid(cancelled);
        lease.whenValid(cancelled);
        lease.whenValid(() -> ran.add("b"));
        assertThat(waiting()).isEqualTo(3);
        lease.cancel(cancelled);

        lease.renew(nanos - DURATION);
        assertThat(ran).as("the heartbeat took too long").isEmpty();
        lease.renew(nanos);
        assertThat(ran).containsExactly("a", "b");
        assertThat(waiting()).isZero();
    }

    @Test
    void aTaskRunsAtOnceWhileItIsValid() {
        lease.renew(nanos);
        lease.whenValid(() -> ran.add("now"));

        assertThat(ran).containsExactly("now");
    }

    @Test
    void theLeaseOfANodeThatIsAloneIsAlwaysValid() {
        RoutingLease unlimited = RoutingLease.unlimited();
        unlimited.renew(nanos);

        assertThat(unlimited.isValid()).isTrue();
    }
}
