package io.heddle.api.rules;

import io.heddle.core.authorization.StoredRules;
import java.time.Instant;
import org.jspecify.annotations.Nullable;

/**
 * The stored rules.
 *
 * @param version 0 if none were ever stored
 * @param text one rule or option in each line
 */
record RulesResponse(
        long version,
        String text,
        @Nullable String changedBy,
        @Nullable Instant changedAt) {
    static RulesResponse of(@Nullable StoredRules rules) {
        return rules == null
                ? new RulesResponse(0, "", null, null)
                : new RulesResponse(rules.version(), rules.text(), rules.changedBy(), rules.changedAt());
    }
}
