package io.heddle.core.quota;

import io.heddle.core.client.ClientId;
import java.util.LinkedHashMap;

/**
 * Keeps the used rates of clients whose connections have ended: the next connection of a client goes on from there, so that it does not gain by
 * connecting again. Thread-safe. Bound: {@value #MAXIMUM} clients, of which the one that left first is forgotten.
 */
public final class UsedRates {
    static final int MAXIMUM = 10_000;

    // The client that left last is the last one. Guarded by this.
    private final LinkedHashMap<ClientId, MessageRate> left = new LinkedHashMap<>();

    /** Keeps the rate of a client whose connection has ended. The caller does not use it any more. */
    public synchronized void leave(ClientId clientId, MessageRate rate, long nowNanos) {
        while (!left.isEmpty() && !left.firstEntry().getValue().isInUse(nowNanos)) {
            left.pollFirstEntry();
        }
        if (rate.isInUse(nowNanos)) {
            // Another client may use the id later.
            rate.forgive(nowNanos);
            left.putLast(clientId, rate);
            if (left.size() > MAXIMUM) {
                left.pollFirstEntry();
            }
        }
    }

    /** Returns the rate of a client that connects again, or a new one. */
    public synchronized MessageRate resume(ClientId clientId) {
        MessageRate found = left.remove(clientId);
        return found == null ? new MessageRate() : found;
    }
}
