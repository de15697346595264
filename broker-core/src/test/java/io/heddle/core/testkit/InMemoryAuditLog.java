package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditFilter;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditQuery;
import io.heddle.core.administration.AuditResult;
import java.time.Duration;
import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** The audit log in a sorted map, which can be made unavailable. Its clock advances by a second with each entry. */
public final class InMemoryAuditLog implements AuditLog {
    private static final Instant START = Instant.parse("2026-11-01T10:00:00Z");

    private final ConcurrentSkipListMap<Long, AuditEntry> entries = new ConcurrentSkipListMap<>();
    private final AtomicLong lastId = new AtomicLong();
    private volatile boolean isDown;

    /** Makes the log unavailable, or available again. */
    public void setDown(boolean down) {
        isDown = down;
    }

    /** Returns all entries, the oldest first. */
    public List<AuditEntry> entries() {
        return List.copyOf(entries.values());
    }

    @Override
    public long begin(AuditAttempt attempt) {
        requireAvailable();
        long id = lastId.incrementAndGet();
        AuditResult attempted = new AuditResult(AuditOutcome.ATTEMPTED, null, null);
        entries.put(id, new AuditEntry(id, START.plus(Duration.ofSeconds(id)), attempt, attempted));
        return id;
    }

    @Override
    public void complete(long id, AuditResult result) {
        requireAvailable();
        entries.computeIfPresent(id, (_, entry) -> new AuditEntry(id, entry.time(), entry.attempt(), result));
    }

    @Override
    public List<AuditEntry> list(AuditQuery query) {
        requireAvailable();
        Comparator<AuditEntry> byTime = Comparator.comparing(AuditEntry::time).thenComparingLong(AuditEntry::id);
        Comparator<AuditEntry> order = query.newestFirst() ? byTime.reversed() : byTime;
        return entries.values().stream()
                .filter(matches(query))
                .sorted(order)
                .filter(entry -> isBehind(entry, query, order))
                .limit(query.limit())
                .toList();
    }

    private static boolean isBehind(AuditEntry entry, AuditQuery query, Comparator<AuditEntry> order) {
        AuditQuery.Position after = query.after();
        return after == null
                || order.compare(new AuditEntry(after.id(), after.time(), entry.attempt(), entry.result()), entry) < 0;
    }

    private static Predicate<AuditEntry> matches(AuditQuery query) {
        AuditFilter filter = query.filter();
        return entry -> isAnyOr(filter.administrator(), entry.attempt().administrator())
                && isAnyOr(filter.action(), entry.attempt().action())
                && isAnyOr(filter.target(), entry.attempt().target())
                && isAnyOr(filter.outcome(), entry.result().outcome())
                && (filter.from() == null || !entry.time().isBefore(filter.from()))
                && (filter.until() == null || entry.time().isBefore(filter.until()));
    }

    private static boolean isAnyOr(@Nullable Object wanted, Object present) {
        return wanted == null || wanted.equals(present);
    }

    private void requireAvailable() {
        if (isDown) {
            throw StoreUnavailableException.postgres("PostgreSQL at secret-host", new IllegalStateException("refused"));
        }
    }
}
