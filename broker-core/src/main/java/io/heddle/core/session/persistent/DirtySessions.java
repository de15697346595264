package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientId;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients whose persistent sessions have changed since the last write to the directory, each once. Thread-safe and never blocks: event
 * loops add clients after a change; one thread takes them and reads the sessions afterwards, so that a change is either seen by that read
 * or taken again.
 *
 * <p>Bound: about {@value #MAXIMUM_HELD_BYTES} bytes. Changes above the bound are kept as one flag that requires a comparison of all
 * sessions.
 */
public final class DirtySessions {
    static final int MAXIMUM_HELD_BYTES = 32 << 20;
    private static final int BYTES_PER_CLIENT = 96;

    private final Set<ClientId> clientIds = ConcurrentHashMap.newKeySet();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicBoolean tooMany = new AtomicBoolean();

    /** A client's session has begun, changed or ended. Called after the change. */
    public void add(ClientId clientId) {
        if (heldBytes.get() >= MAXIMUM_HELD_BYTES) {
            if (!clientIds.contains(clientId)) {
                tooMany.set(true);
            }
        } else if (clientIds.add(clientId)) {
            heldBytes.addAndGet(heldBytes(clientId));
        }
    }

    private static long heldBytes(ClientId clientId) {
        return BYTES_PER_CLIENT + 2L * clientId.value().length();
    }

    /** Takes up to this number of clients; clients that change afterwards are taken again. By one thread. */
    public Set<ClientId> take(int maximum) {
        Set<ClientId> taken = HashSet.newHashSet(Math.min(maximum, size()));
        for (Iterator<ClientId> all = clientIds.iterator(); taken.size() < maximum && all.hasNext(); ) {
            ClientId clientId = all.next();
            all.remove();
            heldBytes.addAndGet(-heldBytes(clientId));
            taken.add(clientId);
        }
        return taken;
    }

    /** Returns, once, whether changes exceeded the bound. */
    public boolean takeTooMany() {
        return tooMany.get() && tooMany.getAndSet(false);
    }

    /** The number of clients kept. */
    public int size() {
        return clientIds.size();
    }
}
