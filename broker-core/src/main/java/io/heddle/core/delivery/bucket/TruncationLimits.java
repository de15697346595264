package io.heddle.core.delivery.bucket;

import java.time.Duration;

/**
 * How much of the bucket logs is kept.
 *
 * @param window the time for which the logs keep applied records while there is room, above 0
 * @param minimumWindow the time for which they keep them in any case, because queues that crash forget their last seconds
 */
public record TruncationLimits(Duration window, Duration minimumWindow) {}
