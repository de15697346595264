package io.heddle.core.authentication.blocked;

import io.heddle.core.client.ClientId;
import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.function.LongSupplier;

/**
 * Counts the connections of each client id, to find those that connect too often. A window begins with a connection and lasts for a fixed time.
 * Thread-safe. Bound: {@value #MAXIMUM_CLIENTS} client ids of at most 1,024 bytes; beyond that, the one whose window began first is
 * forgotten. Longer ids are not counted, because no entry can name them.
 */
public final class Flapping {
    static final int MAXIMUM_CLIENTS = 100_000;

    private final Limits limits;
    private final LongSupplier nanoTime;
    // The latest window last; guarded by this object.
    private final LinkedHashMap<String, Window> windows = new LinkedHashMap<>();

    /**
     * When a client id is blocked.
     *
     * @param connections the most connections in a window; 0 for any number
     * @param block how long a client id is blocked
     */
    public record Limits(int connections, Duration window, Duration block) {
        /** Blocks no client. */
        public static final Limits NONE = new Limits(0, Duration.ofMinutes(1), Duration.ofMinutes(5));
    }

    private record Window(long began, int connections) {}

    /** @param nanoTime the monotonic clock, in nanoseconds */
    public Flapping(Limits limits, LongSupplier nanoTime) {
        this.limits = limits;
        this.nanoTime = nanoTime;
    }

    Limits limits() {
        return limits;
    }

    /** Counts a connection, and returns whether the client has too many. Then the next one is the first again. */
    boolean count(ClientId clientId) {
        String id = clientId.value();
        if (limits.connections == 0 || BlockedClient.fault(BlockedClient.Kind.CLIENT_ID, id) != null) {
            return false;
        }
        synchronized (this) {
            long now = nanoTime.getAsLong();
            Window window = windows.get(id);
            if (window == null || now - window.began >= limits.window.toNanos()) {
                windows.putLast(id, new Window(now, 1));
                if (windows.size() > MAXIMUM_CLIENTS) {
                    windows.pollFirstEntry();
                }
                return false;
            }
            if (window.connections == limits.connections) {
                windows.remove(id);
                return true;
            }
            windows.put(id, new Window(window.began, window.connections + 1));
            return false;
        }
    }
}
