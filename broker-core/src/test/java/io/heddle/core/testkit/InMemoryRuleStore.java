package io.heddle.core.testkit;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authorization.RuleStore;
import io.heddle.core.authorization.StoredRules;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/** A store of rules in memory. */
public final class InMemoryRuleStore implements RuleStore {
    private @Nullable StoredRules rules;
    private boolean isAway;

    /** From now on, the store does not answer, or answers again. */
    public synchronized void setAway(boolean away) {
        isAway = away;
    }

    @Override
    public synchronized @Nullable StoredRules find() {
        requireAnswer();
        return rules;
    }

    @Override
    public synchronized @Nullable StoredRules replace(long present, long version, String text, String changedBy) {
        requireAnswer();
        if ((rules == null ? 0 : rules.version()) != present) {
            return null;
        }
        rules = new StoredRules(version, text, changedBy, Instant.now());
        return rules;
    }

    private void requireAnswer() {
        if (isAway) {
            throw StoreUnavailableException.postgres("does not answer", null);
        }
    }
}
