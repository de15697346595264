package io.heddle.core.delivery.bucket;

import java.time.Duration;

/**
 * The retention of applied records in the bucket logs.
 *
 * @param window the retention while there is room, above 0
 * @param minimumWindow the retention in any case, because a crash of Redis loses its most recent writes
 */
public record TruncationLimits(Duration window, Duration minimumWindow) {}
