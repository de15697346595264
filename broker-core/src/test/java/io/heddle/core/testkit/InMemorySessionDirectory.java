package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.session.directory.SessionDirectory;
import io.heddle.core.session.directory.SessionEntry;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.NavigableMap;
import java.util.TreeMap;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The session directory in a sorted map. Counts changing calls, and fails on request. */
public final class InMemorySessionDirectory implements SessionDirectory {
    private final NavigableMap<ClientId, SessionEntry> entries = new TreeMap<>(Comparator.comparing(ClientId::value));
    private Predicate<ClientId> rejected = _ -> false;
    private boolean unavailable;
    private int puts;
    private int removals;

    /** Makes all calls fail, or succeed again. */
    public synchronized void unavailable(boolean now) {
        unavailable = now;
    }

    /** From now on nothing is stored together with the entries of these. */
    public synchronized void reject(Predicate<ClientId> clientIds) {
        rejected = clientIds;
    }

    /** Returns the number of calls that stored entries. */
    public synchronized int puts() {
        return puts;
    }

    /** Returns the number of calls that removed entries. */
    public synchronized int removals() {
        return removals;
    }

    /** Returns the number of entries. */
    public synchronized int size() {
        return entries.size();
    }

    @Override
    public synchronized void put(List<SessionEntry> stored) {
        checkAvailable();
        for (SessionEntry entry : stored) {
            if (rejected.test(entry.clientId())) {
                throw new IllegalArgumentException("not to be stored: " + entry.clientId());
            }
        }
        for (SessionEntry entry : stored) {
            entries.merge(
                    entry.clientId(),
                    entry,
                    (before, _) -> before.record().epoch() > entry.record().epoch() ? before : entry);
        }
        puts++;
    }

    @Override
    public synchronized int remove(Map<ClientId, Long> epochs) {
        checkAvailable();
        int before = entries.size();
        epochs.forEach((clientId, epoch) ->
                entries.computeIfPresent(clientId, (_, entry) -> entry.record().epoch() > epoch ? entry : null));
        removals++;
        return before - entries.size();
    }

    @Override
    public synchronized List<Stored> page(@Nullable ClientId after, int limit) {
        checkAvailable();
        return (after == null ? entries : entries.tailMap(after, false))
                .values().stream()
                        .limit(limit)
                        .map(entry ->
                                new Stored(entry.clientId(), entry.record().epoch(), entry.fingerprint()))
                        .toList();
    }

    @Override
    public synchronized @Nullable SessionEntry find(ClientId clientId) {
        checkAvailable();
        return entries.get(clientId);
    }

    private void checkAvailable() {
        if (unavailable) {
            throw new StoreUnavailableException("a test wants it so", null);
        }
    }
}
