package io.heddle.core.delivery.bucket;

import java.time.Duration;

/**
 * How far the queues of a bucket may lag behind its log.
 *
 * <p>Above either bound the acknowledgement of a publish waits until its message is in the queues. It also waits when the queues would need
 * longer than the target for the commands that are not applied, at the rate of the latest batches. Above twice the bytes a publish is refused. While the store of the queues does not answer, only the bytes count: waiting would not let it catch up.
 *
 * @param target the age of the oldest command that is not applied
 * @param maximumBytes of the commands that are not applied, above 0
 */
public record LagBounds(Duration target, long maximumBytes) {
    /** No bounds. */
    public static final LagBounds NONE = new LagBounds(Duration.ofDays(1_000), Long.MAX_VALUE / 4);
}
