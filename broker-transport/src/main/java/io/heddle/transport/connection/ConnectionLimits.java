package io.heddle.transport.connection;

import java.time.Duration;

/**
 * What one connection may hold on to.
 *
 * @param lowWatermarkBytes a connection that was not writable is again when less than this waits to be written
 * @param highWatermarkBytes a connection is not writable while more than this waits
 * @param outboundLimitBytes while this much waits, QoS 0 messages are refused and any other packet closes the connection; one
 *     packet may lead beyond it
 * @param closeTimeout how long a closed connection may take to write what is left and to see the client's end
 */
public record ConnectionLimits(
        int lowWatermarkBytes, int highWatermarkBytes, int outboundLimitBytes, Duration closeTimeout) {
    /** 32 KiB, 64 KiB, 4 MiB, 2 s. */
    public static final ConnectionLimits DEFAULTS =
            new ConnectionLimits(32 * 1024, 64 * 1024, 4 * 1024 * 1024, Duration.ofSeconds(2));

    public ConnectionLimits {
        if (lowWatermarkBytes < 1
                || highWatermarkBytes < lowWatermarkBytes
                || outboundLimitBytes < highWatermarkBytes) {
            throw new IllegalArgumentException("the low watermark, the high watermark and the outbound limit must be "
                    + "above 0 and stand in this order, not " + lowWatermarkBytes + ", " + highWatermarkBytes + ", "
                    + outboundLimitBytes);
        }
        if (closeTimeout.isNegative() || closeTimeout.isZero()) {
            throw new IllegalArgumentException("the close timeout must be above 0, not " + closeTimeout);
        }
    }
}
