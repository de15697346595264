package io.heddle.core.delivery.bucket;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.delivery.bucket.BucketPositions.Backlog;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.message.SteadyClock;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** The lag of buckets that other nodes hold and report on. */
class ReportedBucketsTest {
    private static final Incarnation HOLDER = new Incarnation(1, 1);

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private long millis;
    private final List<String> ran = new ArrayList<>();

    @Test
    void aBucketWhoseHolderReportsLagsLikeAHeldOne() {
        BucketPositions bounded = bounded();
        bounded.release(0);
        bounded.onReport(0, HOLDER, report(6));
        bounded.appended(0, 7, 100, 1);
        millis += 51;
        bounded.appended(0, 8, 100, 1);
        assertThat(bounded.isLagging(0)).isTrue();
        assertThat(bounded.isHeld(0)).isFalse();
        bounded.whenCaughtUp(new Backlog(0, 7), () -> ran.add("seven"));
        bounded.whenCaughtUp(new Backlog(0, 8), () -> ran.add("eight"));
        millis += 51;

        bounded.onReport(0, HOLDER, report(7));
        assertThat(ran).containsExactly("seven");
        bounded.onReport(0, HOLDER, report(8));

        assertThat(ran).containsExactly("seven", "eight");
        assertThat(bounded.isAnyLagging()).isFalse();
    }

    @Test
    void theHolderTellsHowFastItAppliesAndThatItCannot() {
        BucketPositions holder = bounded();
        assertThat(holder.report(0)).as("its position is unknown").isNull();
        holder.applied(0, 0);
        holder.recordApplied(0, 100, 20);
        AppliedReport fast = Objects.requireNonNull(holder.report(0));
        holder.onStalled(0);
        AppliedReport stalled = Objects.requireNonNull(holder.report(0));
        assertThat(fast.writesPerSecond()).isEqualTo(5_000);
        BucketPositions bounded = bounded();
        bounded.release(0);
        bounded.onReport(0, HOLDER, fast);

        bounded.appended(0, 1, 1, 250);
        assertThat(bounded.isLagging(0)).isFalse();
        bounded.appended(0, 2, 1, 10);
        assertThat(bounded.isLagging(0)).isTrue();
        bounded.onReport(0, HOLDER, stalled);

        assertThat(bounded.isLagging(0)).isFalse();
        bounded.appended(0, 3, 2_000, 1);
        assertThat(bounded.isFull(0)).isTrue();
    }

    @Test
    void anotherHolderAndAnOwnHoldingBeginWithoutLag() {
        BucketPositions bounded = bounded();
        bounded.release(0);
        bounded.onReport(0, HOLDER, report(6));
        bounded.appended(0, 7, 3_000, 1);
        bounded.whenCaughtUp(new Backlog(0, 7), () -> ran.add("first"));
        bounded.onReport(0, new Incarnation(2, 2), report(1));
        assertThat(ran).containsExactly("first");
        assertThat(bounded.isAnyFull()).isFalse();
        bounded.appended(0, 8, 3_000, 1);
        bounded.whenCaughtUp(new Backlog(0, 8), () -> ran.add("second"));

        bounded.hold(0);

        assertThat(ran).containsExactly("first", "second");
        assertThat(bounded.isAnyLagging()).isFalse();
        bounded.onReport(0, HOLDER, report(9));
        assertThat(bounded.appliedOffset(0)).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void aLaggingBucketOfASilentHolderIsForgotten() {
        BucketPositions bounded = bounded();
        bounded.release(0);
        bounded.onReport(0, HOLDER, report(6));
        millis += 5_000;
        assertThat(bounded.forgetSilent(0, Duration.ofSeconds(3))).isFalse();
        bounded.onReport(0, HOLDER, report(6));
        bounded.appended(0, 7, 3_000, 1);
        bounded.whenCaughtUp(new Backlog(0, 7), () -> ran.add("forgotten"));
        millis += 2_999;
        assertThat(bounded.forgetSilent(0, Duration.ofSeconds(3))).isFalse();
        millis++;

        assertThat(bounded.forgetSilent(0, Duration.ofSeconds(3))).isTrue();

        assertThat(ran).containsExactly("forgotten");
        assertThat(bounded.isAnyLagging()).isFalse();
    }

    private static AppliedReport report(long offset) {
        return new AppliedReport(offset, 0, false, false);
    }

    @Test
    void theCommandsOfThisNodeThatTheHolderHasNotAppliedAreMetered() {
        BucketPositions bounded = bounded();
        assertThat(metrics.get("heddle.buckets.held").gauge().value()).isEqualTo(2);

        bounded.release(0);
        assertThat(metrics.get("heddle.buckets.held").gauge().value()).isEqualTo(1);
        bounded.onReport(0, HOLDER, report(5));
        bounded.appended(0, 6, 200, 1);
        assertThat(lagBytes()).as("held by another node").isEqualTo(200);
        bounded.onReport(0, HOLDER, report(6));
        assertThat(lagBytes()).isZero();

        bounded.hold(0);
        bounded.hold(0);
        bounded.appended(0, 7, 300, 1);
        assertThat(lagBytes()).as("held by this node").isEqualTo(300);
    }

    private double lagBytes() {
        return metrics.get("heddle.buckets.lag.bytes")
                .tag("bucket", "0")
                .gauge()
                .value();
    }

    private BucketPositions bounded() {
        BucketPositions bounded = new BucketPositions(
                2,
                new LagBounds(Duration.ofMillis(50), 1_000),
                new SteadyClock(InstantSource.fixed(Instant.EPOCH), () -> TimeUnit.MILLISECONDS.toNanos(millis)),
                metrics);
        bounded.hold(0);
        bounded.hold(1);
        return bounded;
    }
}
