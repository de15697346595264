package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import io.heddle.core.quota.MemoryBudget;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The nodes to which clients without persistent sessions are connected. In memory only: the nodes announce their clients to a node that
 * begins to decide about them. Owned by the event loop of the clients' buckets. Bound: the memory for sessions; a client without room is
 * refused.
 */
final class TransientClients {
    private static final int HELD_BYTES = 160;

    private final MemoryBudget memory;
    private final Map<ClientId, Entry> byClient = new HashMap<>();

    private static final class Entry {
        private final String node;
        private final TransientClient client;
        private @Nullable Runnable leftListener;

        private Entry(String node, TransientClient client) {
            this.node = node;
            this.client = client;
        }
    }

    /** A connection of a client. */
    record Holder(String node, TransientClient client) {}

    TransientClients(MemoryBudget memory) {
        this.memory = memory;
    }

    /** Returns the connection of a client, or null when it has none. */
    @Nullable
    Holder find(ClientId clientId) {
        Entry entry = byClient.get(clientId);
        return entry == null ? null : new Holder(entry.node, entry.client);
    }

    /** Adds the connection of a client that has none, or returns false when there is no room. */
    boolean add(String node, TransientClient client) {
        if (!memory.tryCharge(heldBytes(client.clientId()))) {
            return false;
        }
        byClient.put(client.clientId(), new Entry(node, client));
        return true;
    }

    /** Adds a connection that exists already, without regard to room. It replaces an earlier one of the client. */
    void addAnnounced(String node, TransientClient client) {
        remove(client.clientId());
        memory.charge(heldBytes(client.clientId()));
        byClient.put(client.clientId(), new Entry(node, client));
    }

    /** Runs a task once when the connection of a client is removed. One task waits at a time: it replaces an earlier one. */
    void onceLeft(ClientId clientId, Runnable task) {
        Entry entry = byClient.get(clientId);
        if (entry != null) {
            entry.leftListener = task;
        }
    }

    /** A connection is lost. Does nothing if the client has another one by now. */
    void leave(ClientId clientId, long number) {
        Entry entry = byClient.get(clientId);
        if (entry != null && entry.client.number() == number) {
            remove(clientId);
        }
    }

    private void remove(ClientId clientId) {
        Entry entry = byClient.remove(clientId);
        if (entry != null) {
            removed(entry);
        }
    }

    private void removed(Entry entry) {
        memory.release(heldBytes(entry.client.clientId()));
        if (entry.leftListener != null) {
            entry.leftListener.run();
        }
    }

    /** A node has ended: its connections are lost. */
    void onNodeEnded(String node) {
        removeWhere(each -> each.node.equals(node));
    }

    /** Another node decides about these clients. */
    void forget(Predicate<ClientId> moved) {
        removeWhere(each -> moved.test(each.client.clientId()));
    }

    private void removeWhere(Predicate<Entry> condition) {
        List<Entry> lost = new ArrayList<>();
        byClient.values().removeIf(each -> condition.test(each) && lost.add(each));
        lost.forEach(this::removed);
    }

    private static long heldBytes(ClientId clientId) {
        return HELD_BYTES + 2L * clientId.value().length();
    }
}
