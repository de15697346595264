package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import java.util.HashSet;
import java.util.Iterator;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The clients whose persistent sessions changed since they were last written to the directory, each once. Thread-safe and never
 * blocks: event loops tell it what they have changed, one thread takes from it and looks afterwards at what has become of the
 * session, so that a change is either seen by that look or taken another time.
 *
 * <p>Bound: about {@value #MAXIMUM_HELD_BYTES} bytes. What comes above that is not kept by name; that there was something is, and means
 * that all has to be compared.
 */
final class DirtySessions {
    static final int MAXIMUM_HELD_BYTES = 32 << 20;
    private static final int BYTES_PER_CLIENT = 96;

    private final Set<ClientId> clientIds = ConcurrentHashMap.newKeySet();
    private final AtomicLong heldBytes = new AtomicLong();
    private final AtomicBoolean tooMany = new AtomicBoolean();

    /** A client's session has begun, changed or ended. Called after the change. */
    void add(ClientId clientId) {
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

    /** Takes out so many clients at most; those that change from now on are taken another time. By one thread. */
    Set<ClientId> take(int maximum) {
        Set<ClientId> taken = HashSet.newHashSet(Math.min(maximum, size()));
        for (Iterator<ClientId> all = clientIds.iterator(); taken.size() < maximum && all.hasNext(); ) {
            ClientId clientId = all.next();
            all.remove();
            heldBytes.addAndGet(-heldBytes(clientId));
            taken.add(clientId);
        }
        return taken;
    }

    /** Says, once, whether there were changes that are not known by name. */
    boolean takeTooMany() {
        return tooMany.get() && tooMany.getAndSet(false);
    }

    /** How many are known by name. */
    int size() {
        return clientIds.size();
    }
}
