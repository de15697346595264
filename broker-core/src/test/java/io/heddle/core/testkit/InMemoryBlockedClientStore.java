package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import java.time.Instant;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** Entries of blocked clients in memory. */
public final class InMemoryBlockedClientStore implements BlockedClientStore {
    private final InMemoryCredentialsChanges changes;
    private final Supplier<Instant> clock;
    private final Map<UUID, BlockedClient> entries = new LinkedHashMap<>();
    private boolean isAway;

    /** @param changes learns of changes */
    public InMemoryBlockedClientStore(InMemoryCredentialsChanges changes, Supplier<Instant> clock) {
        this.changes = changes;
        this.clock = clock;
    }

    /** From now on, the store does not answer, or answers again. */
    public synchronized void setAway(boolean away) {
        isAway = away;
    }

    /** Returns the number of entries, with those that have ended. */
    public synchronized int size() {
        return entries.size();
    }

    @Override
    public synchronized List<BlockedClient> all() {
        requireAnswer();
        return entries.values().stream().filter(this::isInForce).toList();
    }

    @Override
    public synchronized @Nullable BlockedClient find(UUID id) {
        requireAnswer();
        BlockedClient found = entries.get(id);
        return found != null && isInForce(found) ? found : null;
    }

    @Override
    public synchronized boolean put(BlockedClient entry) {
        removeEnded();
        BlockedClient same = entries.values().stream()
                .filter(each -> each.kind() == entry.kind() && each.value().equals(entry.value()))
                .findAny()
                .orElse(null);
        if (same == null && entries.size() >= (entry.isFlapping() ? MAXIMUM_FOR_FLAPPING : MAXIMUM)) {
            return false;
        }
        if (same != null && entry.isFlapping()) {
            return true;
        }
        if (same != null) {
            entries.remove(same.id());
        }
        entries.put(entry.id(), entry);
        changes.addBlocked();
        return true;
    }

    @Override
    public synchronized void remove(UUID id) {
        requireAnswer();
        entries.remove(id);
        changes.addBlocked();
    }

    @Override
    public synchronized void removeEnded() {
        requireAnswer();
        entries.values().removeIf(entry -> !isInForce(entry));
    }

    private boolean isInForce(BlockedClient entry) {
        return !entry.hasEnded(clock.get());
    }

    private void requireAnswer() {
        if (isAway) {
            throw StoreUnavailableException.postgres("does not answer", null);
        }
    }
}
