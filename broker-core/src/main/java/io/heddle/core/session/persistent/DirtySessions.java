package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients whose persistent sessions have changed since the last write to the directory, each once, with the latest epoch that the node
 * knew at the change. Thread-safe and never blocks: event loops add clients after a change; one thread takes them and reads the sessions
 * afterwards, so that a change is either seen by that read or taken again.
 *
 * <p>Bound: about {@value #MAXIMUM_HELD_BYTES} bytes. Changes above the bound are kept as one flag that requires a comparison of all
 * sessions.
 */
public final class DirtySessions {
    static final int MAXIMUM_HELD_BYTES = 32 << 20;
    private static final int BYTES_PER_CLIENT = 96;

    private final ConcurrentHashMap<ClientId, Long> epochs = new ConcurrentHashMap<>();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicBoolean tooMany = new AtomicBoolean();

    /**
     * A client's session has begun, changed or ended. Called after the change.
     *
     * @param epoch of the latest connection of the session
     */
    public void add(ClientId clientId, long epoch) {
        if (heldBytes.get() >= MAXIMUM_HELD_BYTES && !epochs.containsKey(clientId)) {
            tooMany.set(true);
            return;
        }
        epochs.compute(clientId, (_, before) -> {
            if (before != null) {
                return Math.max(before, epoch);
            }
            heldBytes.addAndGet(heldBytes(clientId));
            return epoch;
        });
    }

    private static long heldBytes(ClientId clientId) {
        return BYTES_PER_CLIENT + 2L * clientId.value().length();
    }

    /** Takes up to this number of clients; clients that change afterwards are taken again. By one thread. */
    public Map<ClientId, Long> take(int maximum) {
        Map<ClientId, Long> taken = HashMap.newHashMap(Math.min(maximum, size()));
        for (Iterator<ClientId> all = epochs.keySet().iterator(); taken.size() < maximum && all.hasNext(); ) {
            ClientId clientId = all.next();
            Long epoch = epochs.remove(clientId);
            if (epoch != null) {
                heldBytes.addAndGet(-heldBytes(clientId));
                taken.put(clientId, epoch);
            }
        }
        return taken;
    }

    /** Returns, once, whether changes exceeded the bound. */
    public boolean takeTooMany() {
        return tooMany.get() && tooMany.getAndSet(false);
    }

    /** The number of clients kept. */
    public int size() {
        return epochs.size();
    }
}
