package io.heddle.core.operator.rule;

import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleStore;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.StoredRules;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.RulesChanged;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Keeps the rules of this node at those of the cluster: reads the stored ones at the start, and follows their announcements. Thread-safe.
 *
 * <p>While Kafka does not accept an announcement, it is repeated. A node that stores rules and dies before it has announced them leaves rules
 * that the living nodes do not know; the next start of a node announces them.
 */
public final class RuleReplica {
    private static final Logger log = LoggerFactory.getLogger(RuleReplica.class);

    private final ActiveRules active;
    private final RuleStore store;
    private final Executor executor;
    private final Executor again;
    private final AtomicLong announced = new AtomicLong();
    // The latest record that no task has taken yet: the log may have many, of which a starting node needs the last one
    // only.
    private final AtomicReference<@Nullable RulesChanged> latest = new AtomicReference<>();

    /**
     * @param executor runs tasks that take some milliseconds, in any order
     * @param again runs tasks a few seconds later
     */
    public RuleReplica(ActiveRules active, RuleStore store, Executor executor, Executor again, MeterRegistry metrics) {
        this.active = active;
        this.store = store;
        this.executor = executor;
        this.again = again;
        metrics.gauge("heddle.rules.version", active, ActiveRules::version);
        metrics.gauge("heddle.rules", active, rules -> rules.current().rules().size());
    }

    /** A record of the log of nodes. Does not block. */
    public void onRecord(NodeRecord record) {
        if (record instanceof RulesChanged changed) {
            announced.accumulateAndGet(changed.version(), Math::max);
            latest.accumulateAndGet(
                    changed,
                    (known, next) ->
                            known == null || (next != null && next.version() > known.version()) ? next : known);
            executor.execute(this::follow);
        }
    }

    private void follow() {
        RulesChanged changed = latest.getAndSet(null);
        if (changed == null || changed.version() <= active.version()) {
            return;
        }
        try {
            active.apply(changed.version(), RuleSet.read(changed.rules()));
            log.info(
                    "The rules for topics have changed: version={}, rules={}",
                    changed.version(),
                    active.current().rules().size());
        } catch (RuleSyntaxException wrong) {
            throw new IllegalStateException("A member has announced rules that are none", wrong);
        }
    }

    /**
     * Reads the stored rules. Blocks. After the log of nodes was read to its end, and before clients connect.
     *
     * @return whether there are stored rules
     * @throws RuleSyntaxException if this build does not understand them: a later one may have stored them
     * @throws io.heddle.core.StoreUnavailableException if the store does not answer
     */
    public boolean start(RuleAnnouncer announcer) throws RuleSyntaxException {
        StoredRules stored = store.find();
        if (stored == null) {
            return false;
        }
        active.apply(stored.version(), RuleSet.read(stored.text()));
        if (stored.version() > announced.get()) {
            var _ = announce(stored, announcer);
        }
        return true;
    }

    /**
     * Announces stored rules. After a failure, announces them again until they, or later ones, have arrived.
     *
     * @return the result of the first attempt; never fails
     */
    CompletableFuture<Boolean> announce(StoredRules rules, RuleAnnouncer announcer) {
        return announcer
                .announce(rules.version(), rules.text())
                .handle((_, fault) -> fault)
                .thenApply(fault -> {
                    if (fault != null) {
                        log.warn(
                                "Kafka does not accept the announcement of changed rules for topics, so no node applies them;"
                                        + " it is repeated: version={}, reason={}",
                                rules.version(),
                                fault.getMessage());
                        again.execute(() -> announceAgain(rules, announcer));
                    }
                    return fault == null;
                })
                .toCompletableFuture();
    }

    private void announceAgain(StoredRules rules, RuleAnnouncer announcer) {
        if (announced.get() < rules.version()) {
            var _ = announce(rules, announcer);
        }
    }
}
