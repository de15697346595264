package io.heddle.core.sys.ledger;

import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Flow.Side;
import io.heddle.core.client.ledger.Ledger;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.ArrayDeque;
import java.util.EnumMap;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Checks whether each copy that has entered an account has left it or is held. A difference that lasts a minute is a bug of the broker: it
 * is logged, and {@code heddle.ledger.difference} shows it until the node ends. One thread checks every ten seconds, with the counts of ten
 * seconds before; any thread reads.
 */
public final class LedgerWatch {
    private static final Logger log = LoggerFactory.getLogger(LedgerWatch.class);
    /** The checks of a minute, both ends included. */
    private static final int CHECKS = 7;

    private final Ledger ledger;
    private final LongSupplier nanoTime;
    // Of the checking thread.
    private final Map<Account, Lasting> lasting = new EnumMap<>(Account.class);
    private final Map<Account, Long> logged = new EnumMap<>(Account.class);
    private final ArrayDeque<Check> checks = new ArrayDeque<>(CHECKS);
    private @Nullable CompletableFuture<Check> question;
    private volatile LedgerReport report = LedgerReport.NONE;

    private record Check(long nanos, Map<Flow, Long> counts) {}

    /** @param nanoTime the monotonic clock */
    public LedgerWatch(Ledger ledger, LongSupplier nanoTime, MeterRegistry metrics) {
        this.ledger = ledger;
        this.nanoTime = nanoTime;
        checks.add(new Check(nanoTime.getAsLong(), Map.of()));
        for (Account account : Account.values()) {
            if (!account.isChecked()) {
                continue;
            }
            lasting.put(account, new Lasting(CHECKS));
            logged.put(account, 0L);
            Gauge.builder("heddle.ledger.difference", this, watch -> (double) watch.difference(account))
                    .tag("account", account.key())
                    .register(metrics);
        }
    }

    private long difference(Account account) {
        return report.differences().getOrDefault(account, 0L);
    }

    /** Returns what the latest check has found. */
    public LedgerReport report() {
        return report;
    }

    /**
     * Checks the accounts with the answers of the event loops to the question of the check before, and asks them again. A stuck loop is asked
     * once: there is no check until it answers, and the tasks of this thread do not wait for it.
     */
    public void check() {
        CompletableFuture<Check> answer = question;
        if (answer != null && !answer.isDone()) {
            log.debug("Cannot check the ledger now, because an event loop does not answer");
            return;
        }
        question = ledger.read()
                .thenApply(counts -> new Check(nanoTime.getAsLong(), counts))
                .toCompletableFuture();
        if (answer == null) {
            return;
        }
        if (answer.isCompletedExceptionally()) {
            log.debug("Cannot check the ledger now, because an event loop does not answer", answer.exceptionNow());
        } else {
            add(answer.join());
        }
    }

    private void add(Check check) {
        if (checks.size() == CHECKS) {
            checks.removeFirst();
        }
        checks.addLast(check);
        Map<Flow, Long> counts = check.counts();
        Map<Account, Long> differences = new EnumMap<>(Account.class);
        lasting.forEach((account, ofAccount) -> {
            ofAccount.add(difference(account, counts));
            if (ofAccount.isFull()) {
                differences.put(account, ofAccount.value());
                logIfGrown(account, ofAccount.value());
            }
        });
        Check first = checks.getFirst();
        Map<Flow, Long> flows = new EnumMap<>(Flow.class);
        counts.forEach((flow, count) -> flows.put(
                flow, flow.side() == Side.HELD ? count : count - first.counts().getOrDefault(flow, 0L)));
        report = new LedgerReport(TimeUnit.NANOSECONDS.toSeconds(check.nanos() - first.nanos()), flows, differences);
    }

    private static long difference(Account account, Map<Flow, Long> counts) {
        long difference = account.difference(counts);
        // More goes out while the counts of the others are read.
        return account == Account.CONNECTIONS ? difference : Math.max(0, difference);
    }

    private void logIfGrown(Account account, long difference) {
        long before = logged.getOrDefault(account, 0L);
        if (Math.abs(difference) > Math.abs(before)) {
            log.error(
                    "A bug of the broker: {} copies of messages are not accounted for; please report it with the answer of"
                            + " GET /api/v1/ledger: account={}",
                    difference,
                    account.key());
        }
        logged.put(account, difference);
    }
}
