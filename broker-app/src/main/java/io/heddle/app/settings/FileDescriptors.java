package io.heddle.app.settings;

import com.sun.management.UnixOperatingSystemMXBean;
import java.lang.management.ManagementFactory;

/**
 * Division of the file descriptors that this process may open: a reserve for HTTP, Kafka, Redis, PostgreSQL and files; the rest is for MQTT
 * connections.
 *
 * @param limit maximum number of open files of the process
 * @param reserve number of descriptors that MQTT connections may not use
 */
public record FileDescriptors(long limit, int reserve) {
    private static final int MOST_RESERVED = 5_000;
    private static final int SHARE_RESERVED = 4;
    private static final int MOST_HTTP = 2_048;

    /** @param reserve size of the reserve; 0 means a quarter of the limit, at most 5,000 */
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

    /** Returns the maximum number of MQTT connections: the configured one, unless the process has too few descriptors; at least 1. */
    public int connections(int configured) {
        return (int) Math.max(1, Math.min(configured, limit - reserve));
    }

    /** Returns the default maximum of HTTP connections: half of the reserve, at most 2,048. */
    public int httpConnections() {
        return Math.max(1, Math.min(MOST_HTTP, reserve / 2));
    }
}
