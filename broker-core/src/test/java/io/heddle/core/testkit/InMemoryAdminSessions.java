package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AdminSession;
import io.heddle.core.administration.AdminSessions;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/** Sessions in a map, in a store that can be made unavailable. */
public final class InMemoryAdminSessions implements AdminSessions {
    private final Map<UUID, AdminSession> stored = new ConcurrentHashMap<>();
    private final AtomicInteger finds = new AtomicInteger();
    private final AtomicInteger uses = new AtomicInteger();
    private volatile boolean isDown;

    /** Makes the store unavailable, or available again. */
    public void setDown(boolean down) {
        isDown = down;
    }

    /** Returns how many sessions were looked up. */
    public int finds() {
        return finds.get();
    }

    /** Returns how often a use was stored. */
    public int uses() {
        return uses.get();
    }

    private Map<UUID, AdminSession> sessions() {
        if (isDown) {
            throw StoreUnavailableException.postgres("PostgreSQL at secret-host", new IllegalStateException("refused"));
        }
        return stored;
    }

    @Override
    public @Nullable AdminSession find(String tokenHash) {
        finds.incrementAndGet();
        return sessions().values().stream()
                .filter(each -> each.tokenHash().equals(tokenHash))
                .findFirst()
                .orElse(null);
    }

    @Override
    public List<AdminSession> list(String userName) {
        return sessions().values().stream()
                .filter(each -> each.userName().equals(userName))
                .sorted(Comparator.comparing(AdminSession::createdAt)
                        .reversed()
                        .thenComparing(each -> each.id().toString()))
                .toList();
    }

    @Override
    public synchronized void create(AdminSession session, Instant idleSince) {
        sessions()
                .values()
                .removeIf(each -> !each.expiresAt().isAfter(session.createdAt())
                        || each.lastUsedAt().isBefore(idleSince));
        list(session.userName()).stream().skip(MAX_PER_ADMINISTRATOR - 1).forEach(oldest -> stored.remove(oldest.id()));
        stored.put(session.id(), session);
    }

    @Override
    public void use(UUID id, Instant time) {
        uses.incrementAndGet();
        sessions().computeIfPresent(id, (_, found) -> found.lastUsedAt().isBefore(time) ? found.usedAt(time) : found);
    }

    @Override
    public void remove(String userName, UUID id) {
        sessions()
                .values()
                .removeIf(each -> each.id().equals(id) && each.userName().equals(userName));
    }

    @Override
    public void removeAll(String userName, @Nullable UUID kept) {
        sessions()
                .values()
                .removeIf(each -> each.userName().equals(userName) && !each.id().equals(kept));
    }
}
