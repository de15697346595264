package io.heddle.core.delivery.bucket;

import java.time.Duration;

/**
 * The bounds of the lag of a bucket's queues behind its log.
 *
 * <p>Above either bound the acknowledgement of a publish waits until its message is in the queues. It also waits when the queues would need
 * longer than the target for the unapplied commands, at the rate of recent batches. Above twice the bytes a publish is refused. While the
 * store of the queues does not answer, only the bytes count, because slower publishers would not help it to catch up.
 *
 * @param target the maximum age of the oldest unapplied command
 * @param maximumBytes of the unapplied commands, above 0
 */
public record LagBounds(Duration target, long maximumBytes) {
    /** No bounds. */
    public static final LagBounds NONE = new LagBounds(Duration.ofDays(1_000), Long.MAX_VALUE / 4);
}
