package io.heddle.core.session.registrar;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.EventLoop;
import io.heddle.core.quota.MemoryBudget;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The nodes to which clients without persistent sessions are connected. In memory only: the nodes announce their clients to a node that
 * begins to decide about them. Until a node has done so, or has ended, each client of the bucket may have a connection there; but no longer
 * than a limit, because the link to a living node may be cut. Owned by the event loop of the clients' buckets. Bound: the memory for
 * sessions; a client without room is refused.
 *
 * <p>Metric: {@code heddle.registrar.unannounced}.
 */
final class TransientClients {
    private static final Logger log = LoggerFactory.getLogger(TransientClients.class);
    private static final int HELD_BYTES = 160;

    private final EventLoop loop;
    private final MemoryBudget memory;
    private final Counter unannounced;
    private final Map<ClientId, Entry> byClient = new HashMap<>();
    // By the bucket; without those of which all clients are known.
    private final Map<Integer, Awaited> awaited = new HashMap<>();

    private static final class Entry {
        private final String node;
        private final TransientClient client;
        private @Nullable Runnable leftListener;

        private Entry(String node, TransientClient client) {
            this.node = node;
            this.client = client;
        }
    }

    /**
     * Announcements that are missing.
     *
     * @param tasks run when none is missing
     */
    private record Awaited(Set<String> nodes, List<Runnable> tasks, EventLoop.Timer limit) {}

    /** A connection of a client. */
    record Holder(String node, TransientClient client) {}

    TransientClients(EventLoop loop, MemoryBudget memory, MeterRegistry registry) {
        this.loop = loop;
        this.memory = memory;
        this.unannounced = Counter.builder("heddle.registrar.unannounced")
                .description(
                        "Buckets for whose clients the holder decided although a node had not announced its clients")
                .register(registry);
    }

    /**
     * This node begins to decide about the clients of a bucket.
     *
     * @param nodes that may have clients of the bucket, and announce them
     * @param limit after which they are not waited for any more
     */
    void await(int bucket, Set<String> nodes, Duration limit) {
        if (!nodes.isEmpty()) {
            EventLoop.Timer timer = loop.schedule(limit, () -> giveUp(bucket));
            awaited.put(bucket, new Awaited(new HashSet<>(nodes), new ArrayList<>(), timer));
        }
    }

    private void giveUp(int bucket) {
        Awaited missing = awaited.remove(bucket);
        if (missing != null) {
            unannounced.increment();
            log.warn(
                    "Nodes have not announced their clients without persistent sessions. Such a client may have two connections for some time:"
                            + " check the links between the nodes: bucket={}, nodes={}",
                    bucket,
                    missing.nodes());
            missing.tasks().forEach(Runnable::run);
        }
    }

    /** A node has announced all its clients of a bucket, or has ended. */
    void onAnnounced(int bucket, String node) {
        Awaited missing = awaited.get(bucket);
        if (missing != null && missing.nodes().remove(node) && missing.nodes().isEmpty()) {
            awaited.remove(bucket);
            missing.limit().cancel();
            missing.tasks().forEach(Runnable::run);
        }
    }

    /** Runs a task once when the connected clients of a bucket are known. Returns false if they are known already. */
    boolean tryAwait(int bucket, Runnable task) {
        Awaited missing = awaited.get(bucket);
        return missing != null && missing.tasks().add(task);
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
        List.copyOf(awaited.keySet()).forEach(bucket -> onAnnounced(bucket, node));
    }

    /** Another node decides about the clients of these buckets, whose requests have ended. */
    void forget(Set<Integer> buckets, ToIntFunction<ClientId> bucketOf) {
        for (int bucket : buckets) {
            Awaited missing = awaited.remove(bucket);
            if (missing != null) {
                missing.limit().cancel();
            }
        }
        removeWhere(each -> buckets.contains(bucketOf.applyAsInt(each.client.clientId())));
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
