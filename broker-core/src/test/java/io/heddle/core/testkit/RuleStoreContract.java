package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.RuleStore;
import io.heddle.core.authorization.StoredRules;
import java.time.Instant;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** The guarantees of a store of rules. */
public abstract class RuleStoreContract {
    private static final String TEXT = "default deny\nallow all \"a b/ü/#\" for everyone\n";

    /** An empty store. */
    protected abstract RuleStore store();

    @Test
    protected void thereAreNoRulesAtFirst() {
        assertThat(store().find()).isNull();
    }

    @Test
    protected void rulesAreStoredWithTheirVersionAuthorAndTime() {
        Instant before = Instant.now().minusSeconds(60);

        StoredRules stored = Objects.requireNonNull(store().replace(0, 5, TEXT, "alice"));

        assertThat(stored).isEqualTo(store().find());
        assertThat(stored.version()).isEqualTo(5);
        assertThat(stored.text()).isEqualTo(TEXT);
        assertThat(stored.changedBy()).isEqualTo("alice");
        assertThat(stored.changedAt()).isAfter(before);
    }

    @Test
    protected void onlyTheVersionThatWasReadIsReplaced() {
        store().replace(0, 1, TEXT, "alice");

        assertThat(store().replace(0, 2, "default allow", "bob")).isNull();
        assertThat(store().replace(7, 8, "default allow", "bob")).isNull();
        assertThat(store().find()).extracting(StoredRules::text).isEqualTo(TEXT);

        assertThat(store().replace(1, 2, "default allow", "bob"))
                .isEqualTo(store().find())
                .extracting(StoredRules::version, StoredRules::text, StoredRules::changedBy)
                .containsExactly(2L, "default allow", "bob");
    }
}
