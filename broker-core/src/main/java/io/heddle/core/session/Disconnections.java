package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import java.time.Duration;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The last disconnection of each client of this node in a day, also of clients without a persistent session. Thread-safe. Bound: {@link
 * #MAXIMUM_BYTES}, which is about 40,000 clients; the oldest are forgotten first.
 */
public final class Disconnections {
    static final Duration KEPT = Duration.ofDays(1);
    static final long MAXIMUM_BYTES = 16 << 20;

    // Guarded by this. The oldest first.
    private final Map<ClientId, Disconnection> byClient = new LinkedHashMap<>();
    private long bytes;

    /** A client was disconnected. Any thread. */
    synchronized void add(Disconnection latest) {
        ClientId clientId = latest.client().identity().clientId();
        forget(byClient.remove(clientId));
        byClient.put(clientId, latest);
        bytes += latest.bytes();
        Iterator<Disconnection> oldest = byClient.values().iterator();
        while (oldest.hasNext()) {
            Disconnection each = oldest.next();
            if (bytes <= MAXIMUM_BYTES && !isOver(each, latest.millis())) {
                return;
            }
            oldest.remove();
            forget(each);
        }
    }

    private void forget(@Nullable Disconnection removed) {
        if (removed != null) {
            bytes -= removed.bytes();
        }
    }

    private static boolean isOver(Disconnection each, long nowMillis) {
        return nowMillis - each.millis() >= KEPT.toMillis();
    }

    /** Returns the last disconnection of a client; null if it was not disconnected for a day. Any thread. */
    public synchronized @Nullable Disconnection find(ClientId clientId, long nowMillis) {
        Disconnection found = byClient.get(clientId);
        return found == null || isOver(found, nowMillis) ? null : found;
    }

    synchronized int size() {
        return byClient.size();
    }
}
