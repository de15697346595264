package io.heddle.core.authorization;

import java.time.Instant;

/**
 * The rules that administrators have stored.
 *
 * @param version above 0; rises with each change
 * @param text for {@link RuleSet#read}
 * @param changedBy the name of the administrator
 */
public record StoredRules(long version, String text, String changedBy, Instant changedAt) {}
