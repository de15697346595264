package io.heddle.core.authorization;

import java.util.EnumMap;
import java.util.Map;

/**
 * The decisions of a rule set that no single rule takes.
 *
 * @param defaultEffect the decision about requests that no rule matches
 * @param filtersPartialSubscriptions whether a subscription with wildcards is granted although some of its topics are denied; its messages are
 *     then checked one by one. Otherwise it is refused
 * @param disconnectsRevoked whether a client that loses a subscription because of changed rules is disconnected with reason code 0x87.
 *     Otherwise the subscription is only removed
 */
public record RuleOptions(Effect defaultEffect, boolean filtersPartialSubscriptions, boolean disconnectsRevoked) {
    /** Creates the options of a text that names the default only. */
    public static RuleOptions of(Effect defaultEffect) {
        return new RuleOptions(defaultEffect, false, true);
    }

    /** A line with a name and one of two values. */
    enum Option {
        DEFAULT("default", "allow", "deny"),
        PARTIAL_SUBSCRIPTIONS("partial-subscriptions", "filter", "refuse"),
        REVOKED_SUBSCRIPTIONS("revoked-subscriptions", "disconnect", "remove");

        private final String word;
        private final String yes;
        private final String no;

        Option(String word, String yes, String no) {
            this.word = word;
            this.yes = yes;
            this.no = no;
        }

        String word() {
            return word;
        }

        String yes() {
            return yes;
        }

        String no() {
            return no;
        }
    }

    /** The options that were read from a text, each once at most. Confined to one thread. */
    static final class Lines {
        private final Map<Option, Boolean> values = new EnumMap<>(Option.class);

        void set(Option option, boolean isYes) throws RuleSyntaxException {
            if (values.putIfAbsent(option, isYes) != null) {
                throw new RuleSyntaxException(1, "a second line with '" + option.word() + "': remove one of them");
            }
        }

        RuleOptions toOptions() throws RuleSyntaxException {
            Boolean allows = values.get(Option.DEFAULT);
            if (allows == null) {
                throw new RuleSyntaxException("there is no default: add the line 'default allow' or 'default deny'");
            }
            return new RuleOptions(
                    allows ? Effect.ALLOW : Effect.DENY,
                    values.getOrDefault(Option.PARTIAL_SUBSCRIPTIONS, false),
                    values.getOrDefault(Option.REVOKED_SUBSCRIPTIONS, true));
        }
    }
}
