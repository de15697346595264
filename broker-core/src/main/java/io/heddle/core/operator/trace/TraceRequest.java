package io.heddle.core.operator.trace;

import java.time.Duration;

/**
 * A trace that an administrator wants.
 *
 * @param administrator who wants it, or an API key as {@code key:NAME}
 * @param hasPayloads whether events show the payloads and User Properties of messages
 * @param limit of its duration, at most {@link #MAXIMUM_DURATION}
 * @param maximumEvents 1 to {@link #MAXIMUM_EVENTS}
 */
public record TraceRequest(
        String administrator, TraceFilter filter, boolean hasPayloads, Duration limit, int maximumEvents) {
    public static final Duration MAXIMUM_DURATION = Duration.ofHours(1);
    public static final int MAXIMUM_EVENTS = 100_000;
}
