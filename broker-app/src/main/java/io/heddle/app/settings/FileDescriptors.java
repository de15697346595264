package io.heddle.app.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Division of the file descriptors that this process may open: a reserve for HTTP, Kafka, Redis, PostgreSQL and files, and the rest for
 * MQTT connections.
 *
 * @param limit how many the process may open
 * @param reserve how many of them MQTT connections leave alone
 */
public record FileDescriptors(long limit, int reserve) {
    private static final int MOST_RESERVED = 5_000;
    private static final int SHARE_RESERVED = 4;
    private static final int MOST_HTTP = 2_048;

    /**
     * This process's.
     *
     * @param reserve how many are reserved; 0 means a quarter, at most 5,000
     */
    public static FileDescriptors ofProcess(int reserve) {
        long limit = ManagementFactory.getOperatingSystemMXBean() instanceof UnixOperatingSystemMXBean system
                ? system.getMaxFileDescriptorCount()
                : Long.MAX_VALUE;
        return of(limit, reserve);
    }

    static FileDescriptors of(long limit, int reserve) {
        return new FileDescriptors(
                limit, reserve > 0 ? reserve : (int) Math.min(MOST_RESERVED, limit / SHARE_RESERVED));
    }

    /** The most MQTT connections when the operator allows so many; at least 1. */
    public int connections(int configured) {
        return (int) Math.max(1, Math.min(configured, limit - reserve));
    }

    /** The most HTTP connections when the operator sets no number: half of the reserve, at most 2,048. */
    public int httpConnections() {
        return Math.max(1, Math.min(MOST_HTTP, reserve / 2));
    }
}
