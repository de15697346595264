package io.heddle.transport.connection;

import java.time.Duration;

/**
 * @param lowWatermarkBytes unsent bytes below which an unwritable connection becomes writable again
 * @param highWatermarkBytes unsent bytes above which a connection is not writable
 * @param burstLimitBytes unsent bytes at which QoS 0 messages for the client are dropped; from a quarter of it on, their publishers are
 *     throttled
 * @param outboundLimitBytes unsent bytes at which QoS 0 messages are not sent and any other packet closes the connection; one packet may
 *     exceed it
 * @param packetsPerTurn the maximum number of packets decoded in one turn of the event loop
 * @param closeTimeout the time to write unsent output and to receive the client's end of stream after a close
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
                    "low watermark, high watermark, burst limit and outbound limit must be positive and in ascending order,"
                            + " not " + lowWatermarkBytes + ", " + highWatermarkBytes + ", " + burstLimitBytes
                            + ", " + outboundLimitBytes);
        }
        if (packetsPerTurn < 1) {
            throw new IllegalArgumentException("packets per turn are " + packetsPerTurn + ": use 1 or more");
        }
        if (closeTimeout.isNegative() || closeTimeout.isZero()) {
            throw new IllegalArgumentException("close timeout is " + closeTimeout + ": use a positive duration");
        }
    }

    /** Returns the unsent bytes at which publishers of QoS 0 messages for the client are throttled. */
    int congestionBytes() {
        return Math.max(highWatermarkBytes, burstLimitBytes / CONGESTION_SHARE);
    }
}
