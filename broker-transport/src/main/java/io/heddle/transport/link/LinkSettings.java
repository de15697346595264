package io.heddle.transport.link;

import java.time.Duration;

/**
 * The settings of the links of a node.
 *
 * @param maximumPayloadBytes the largest payload of a frame
 * @param maximumUnacknowledgedBytes the bound for each member: once for control frames and once for data
 * @param connectTimeout the limit for a connection, its handshake and the answer to its first message
 * @param shortestPause before the first attempt to connect again; each further one waits twice as long
 * @param longestPause between two attempts
 * @param probeInterval a connection on which the peer is silent for three intervals is given up
 */
public record LinkSettings(
        int maximumPayloadBytes,
        long maximumUnacknowledgedBytes,
        Duration connectTimeout,
        Duration shortestPause,
        Duration longestPause,
        Duration probeInterval) {
    /** A payload fits the largest packet of MQTT (256 MB) and the fields that surround it. */
    private static final int MAXIMUM_PAYLOAD_BYTES = 257 << 20;

    private static final int SILENT_INTERVALS = 3;

    private static final int PROBES_OF_A_LEASE = 10;
    private static final Duration LONGEST_PROBE_INTERVAL = Duration.ofSeconds(1);

    /**
     * Returns the settings of a broker with this bound of unacknowledged bytes.
     *
     * @param lease of the cluster; an idle link must not be silent for a large part of it
     */
    public static LinkSettings of(long maximumUnacknowledgedBytes, Duration lease) {
        Duration probeInterval = lease.dividedBy(PROBES_OF_A_LEASE);
        return new LinkSettings(
                MAXIMUM_PAYLOAD_BYTES,
                maximumUnacknowledgedBytes,
                Duration.ofSeconds(5),
                Duration.ofMillis(50),
                Duration.ofSeconds(1),
                probeInterval.compareTo(LONGEST_PROBE_INTERVAL) < 0 ? probeInterval : LONGEST_PROBE_INTERVAL);
    }

    /** Returns the number of silent intervals after which the sender gives up a connection. */
    int silentIntervals() {
        return SILENT_INTERVALS;
    }

    /** Returns the silence after which the receiver closes a connection, on which the sender probes at least every two intervals. */
    Duration receiverPatience() {
        return probeInterval.multipliedBy(10);
    }
}
