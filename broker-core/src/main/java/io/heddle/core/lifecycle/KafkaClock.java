package io.heddle.core.lifecycle;

import io.heddle.core.cluster.NodeLog.Appended;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/** Compares the clock of this node with that of Kafka. A wrong clock would expire the sessions of all clients that are away. */
final class KafkaClock {
    private static final Duration LARGEST_DIFFERENCE = Duration.ofSeconds(30);

    private final LongSupplier clock;

    /** @param clock returns the time of day in milliseconds by which sessions expire */
    KafkaClock(LongSupplier clock) {
        this.clock = clock;
    }

    /** Returns the time of day of this node. */
    long millis() {
        return clock.getAsLong();
    }

    /**
     * Requires that Kafka's clock, which has stamped a record just now, and that of this node agree.
     *
     * @param before the time of day of this node before the record was appended
     */
    void requireAgreement(long before, Appended written) {
        long behind = written.timestampMillis() - clock.getAsLong();
        long ahead = before - written.timestampMillis();
        long difference = Math.max(behind, ahead);
        if (difference > LARGEST_DIFFERENCE.toMillis()) {
            throw new StartupException(
                    "the clock of this machine is " + TimeUnit.MILLISECONDS.toSeconds(difference) + " s "
                            + (ahead > behind ? "ahead of" : "behind")
                            + " the clock of Kafka, which would expire sessions too "
                            + (ahead > behind ? "early" : "late")
                            + ": synchronize both clocks",
                    null);
        }
    }
}
