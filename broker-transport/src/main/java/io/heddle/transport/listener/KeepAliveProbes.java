package io.heddle.transport.listener;

import java.time.Duration;

/**
 * How the operating system finds out that the peer of an idle connection is gone, for clients that never ping.
 *
 * @param idle how long nothing came before the first probe, in whole seconds
 * @param interval between probes that are not answered, in whole seconds
 * @param count how many probes are not answered before the connection is reset
 */
public record KeepAliveProbes(Duration idle, Duration interval, int count) {
    /** 5 min, 30 s, 4: a dead peer is found within 7 min. */
    public static final KeepAliveProbes DEFAULTS =
            new KeepAliveProbes(Duration.ofMinutes(5), Duration.ofSeconds(30), 4);

    public KeepAliveProbes {
        if (idle.toSeconds() < 1 || interval.toSeconds() < 1 || count < 1) {
            throw new IllegalArgumentException("keep-alive probes need at least a second and one probe, not " + idle
                    + ", " + interval + ", " + count);
        }
    }
}
