package io.heddle.core.delivery.application;

import io.heddle.core.client.ClientId;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/**
 * The records of {@code heddle.progress} as this node reads them: usually one for each session, and more until the connection that follows
 * has removed those of earlier ones. Thread-safe. Bound: one entry for each record that no node has removed.
 */
final class FollowedProgress {
    private static final Comparator<ProgressKey> BY_CONNECTION =
            Comparator.comparingLong(ProgressKey::generation).thenComparingLong(ProgressKey::epoch);

    // In the order of their first records, so that obsolete ones are removed in it.
    private final Map<ClientId, TreeMap<ProgressKey, Progress>> byClient = new LinkedHashMap<>();

    /** Applies the next record of the log; null removes the key. */
    synchronized void apply(ProgressKey key, @Nullable Progress progress) {
        if (progress == null) {
            remove(key);
        } else {
            byClient.computeIfAbsent(key.clientId(), _ -> new TreeMap<>(BY_CONNECTION))
                    .put(key, progress);
        }
    }

    private void remove(ProgressKey key) {
        TreeMap<ProgressKey, Progress> ofClient = byClient.get(key.clientId());
        if (ofClient != null && ofClient.remove(key) != null && ofClient.isEmpty()) {
            byClient.remove(key.clientId());
        }
    }

    /** Returns the key of the latest connection of a session that has recorded progress, or null. */
    private @Nullable ProgressKey latestKey(ClientId clientId, long generation) {
        TreeMap<ProgressKey, Progress> ofClient = byClient.get(clientId);
        ProgressKey last =
                ofClient == null ? null : ofClient.floorKey(new ProgressKey(clientId, generation, Long.MAX_VALUE));
        return last != null && last.generation() == generation ? last : null;
    }

    /** Returns the progress of the latest connection of a session, or null. */
    synchronized @Nullable Progress latest(ClientId clientId, long generation) {
        ProgressKey key = latestKey(clientId, generation);
        TreeMap<ProgressKey, Progress> ofClient = byClient.get(clientId);
        return key == null || ofClient == null ? null : ofClient.get(key);
    }

    /** Removes the records of earlier connections of the client, and returns their keys. */
    synchronized List<ProgressKey> takeBelow(ProgressKey key) {
        return take(key.clientId(), each -> BY_CONNECTION.compare(each, key) < 0);
    }

    /** Removes the records of a session and of earlier ones of the client, and returns their keys. */
    synchronized List<ProgressKey> takeUpTo(ClientId clientId, long generation) {
        return take(clientId, each -> each.generation() <= generation);
    }

    /**
     * Removes the records of some clients that are not those of the latest connections of these sessions, and returns their keys.
     *
     * @param generations of all sessions of the clients
     */
    synchronized List<ProgressKey> takeObsolete(Predicate<ClientId> clients, Map<ClientId, Long> generations) {
        List<ProgressKey> taken = new ArrayList<>();
        for (ClientId clientId : List.copyOf(byClient.keySet())) {
            if (clients.test(clientId)) {
                Long generation = generations.get(clientId);
                ProgressKey current = generation == null ? null : latestKey(clientId, generation);
                taken.addAll(take(clientId, each -> !each.equals(current)));
            }
        }
        return taken;
    }

    private List<ProgressKey> take(ClientId clientId, Predicate<ProgressKey> isTaken) {
        TreeMap<ProgressKey, Progress> ofClient = byClient.get(clientId);
        if (ofClient == null) {
            return List.of();
        }
        List<ProgressKey> taken = ofClient.keySet().stream().filter(isTaken).toList();
        taken.forEach(this::remove);
        return taken;
    }
}
