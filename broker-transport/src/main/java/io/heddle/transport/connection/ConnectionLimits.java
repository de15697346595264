package io.heddle.transport.connection;

import java.time.Duration;

/**
 * Bounds for one connection.
 *
 * @param lowWatermarkBytes a connection that was not writable is writable again when less than this is unsent
 * @param highWatermarkBytes a connection is not writable while more than this is unsent
 * @param burstLimitBytes while this much is unsent, QoS 0 messages for the client are dropped; from a quarter of it on, their
 *     publishers are slowed
 * @param outboundLimitBytes while this much is unsent, QoS 0 messages are refused and any other packet closes the connection; one
 *     packet may exceed it
 * @param packetsPerTurn how many packets are decoded in one turn of the event loop, before other connections have theirs
 * @param closeTimeout how long a closed connection may take to write its unsent output and to see the client's end
 */
public record ConnectionLimits(
        int lowWatermarkBytes,
        int highWatermarkBytes,
        int burstLimitBytes,
        int outboundLimitBytes,
        int packetsPerTurn,
        Duration closeTimeout) {
    /** 32 KiB, 64 KiB, 4 MiB, 8 MiB, 256 packets, 2 s. */
    public static final ConnectionLimits DEFAULTS =
            new ConnectionLimits(32 * 1024, 64 * 1024, 4 * 1024 * 1024, 8 * 1024 * 1024, 256, Duration.ofSeconds(2));

    private static final int CONGESTION_SHARE = 4;

    public ConnectionLimits {
        if (lowWatermarkBytes < 1
                || highWatermarkBytes < lowWatermarkBytes
                || burstLimitBytes < highWatermarkBytes
                || outboundLimitBytes < burstLimitBytes) {
            throw new IllegalArgumentException(
                    "the low watermark, the high watermark, the burst limit and the outbound limit must be above 0 and in this"
                            + " order, not " + lowWatermarkBytes + ", " + highWatermarkBytes + ", " + burstLimitBytes
                            + ", " + outboundLimitBytes);
        }
        if (packetsPerTurn < 1) {
            throw new IllegalArgumentException("the packets of a turn must be above 0, not " + packetsPerTurn);
        }
        if (closeTimeout.isNegative() || closeTimeout.isZero()) {
            throw new IllegalArgumentException("the close timeout must be above 0, not " + closeTimeout);
        }
    }

    /** While this much is unsent, publishers of QoS 0 messages for the client are slowed. */
    int congestionBytes() {
        return Math.max(highWatermarkBytes, burstLimitBytes / CONGESTION_SHARE);
    }
}
