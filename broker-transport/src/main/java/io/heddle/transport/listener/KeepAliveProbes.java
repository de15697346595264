package io.heddle.transport.listener;

import java.time.Duration;

/**
 * TCP keep-alive settings, which detect dead peers of idle connections whose clients never ping.
 *
 * @param idle idle time before the first probe, in whole seconds
 * @param interval between unanswered probes, in whole seconds
 * @param count unanswered probes before the connection is reset
 */
public record KeepAliveProbes(Duration idle, Duration interval, int count) {
    /** 5 min, 30 s, 4: a dead peer is detected within 7 min. */
    public static final KeepAliveProbes DEFAULTS =
            new KeepAliveProbes(Duration.ofMinutes(5), Duration.ofSeconds(30), 4);

    public KeepAliveProbes {
        if (idle.toSeconds() < 1 || interval.toSeconds() < 1 || count < 1) {
            throw new IllegalArgumentException(
                    "keep-alive probes need an idle time and an interval of at least 1 s and at least one probe, not "
                            + idle + ", " + interval + ", " + count);
        }
    }
}
