package io.heddle.core.authorization;

import io.heddle.core.client.AddressRange;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ordered rules: of those that are for a client and match its request, the first one decides; if there is none, the default. Immutable.
 *
 * <p>The rules are compiled once, into one trie for each {@link Selector}, which all clients share. So the memory depends on the number of
 * rules, and not on the number of clients or the combinations of users, groups and addresses that occur.
 */
public final class RuleSet {
    /** No rules: everything is allowed. */
    public static final RuleSet NONE = new RuleSet(List.of(), Effect.ALLOW);

    private final List<Rule> rules;
    private final Effect defaultEffect;
    private final Map<Selector, RuleNode> roots = new HashMap<>();
    private final Map<AddressRange, RuleNode> addresses = new HashMap<>();
    private final List<String> placeholders;
    private final int maximumLevels;
    /** The rules of clients that only those for everyone select; shared if no rule has a placeholder. */
    private final CompiledRules forEveryone;

    /** @throws IllegalArgumentException if there are more than {@value RuleEntry#MAXIMUM_RULES} rules */
    public RuleSet(List<Rule> rules, Effect defaultEffect) {
        if (rules.size() > RuleEntry.MAXIMUM_RULES) {
            throw new IllegalArgumentException("more than " + RuleEntry.MAXIMUM_RULES + " rules");
        }
        this.rules = List.copyOf(rules);
        this.defaultEffect = defaultEffect;
        Map<String, Integer> numbers = new LinkedHashMap<>();
        int levels = 0;
        for (int position = 0; position < rules.size(); position++) {
            Rule rule = rules.get(position);
            roots.computeIfAbsent(rule.selector(), this::root)
                    .add(
                            rule.filter(),
                            RuleEntry.of(position, rule),
                            placeholder -> numbers.computeIfAbsent(placeholder, _ -> numbers.size()));
            levels = Math.max(levels, rule.filter().levels().size());
        }
        this.placeholders = List.copyOf(numbers.keySet());
        this.maximumLevels = levels;
        RuleNode everyone = roots.get(Selector.EVERYONE);
        this.forEveryone = new CompiledRules(this, everyone == null ? List.of() : List.of(everyone), new String[0]);
    }

    /**
     * Reads a file with one rule in each line, and {@code default allow} or {@code default deny} in one of them. Empty lines, and those that
     * begin with {@code #}, are comments.
     *
     * @throws RuleSyntaxException if a line is none of these, or the default is missing
     */
    public static RuleSet read(List<String> lines) throws RuleSyntaxException {
        List<Rule> rules = new ArrayList<>();
        Effect defaultEffect = null;
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            try {
                RuleParser parser = new RuleParser(line);
                Effect found = parser.defaultEffect();
                if (found == null) {
                    rules.add(parser.rule());
                } else if (defaultEffect == null) {
                    defaultEffect = found;
                } else {
                    throw new RuleSyntaxException(1, "a second default: remove one of them");
                }
            } catch (RuleSyntaxException wrong) {
                throw new RuleSyntaxException("line " + (i + 1) + ", " + wrong.getMessage());
            }
        }
        if (defaultEffect == null) {
            throw new RuleSyntaxException("there is no default: add the line 'default allow' or 'default deny'");
        }
        return new RuleSet(rules, defaultEffect);
    }

    private RuleNode root(Selector selector) {
        RuleNode root = new RuleNode("");
        if (selector.kind() == Selector.Kind.ADDRESS) {
            addresses.put(AddressRange.parse(selector.value()), root);
        }
        return root;
    }

    /** Returns the rules in their order. */
    public List<Rule> rules() {
        return rules;
    }

    /** Returns the decision about requests that no rule matches. */
    public Effect defaultEffect() {
        return defaultEffect;
    }

    /** The highest number of levels of a filter, without {@code #}. */
    int maximumLevels() {
        return maximumLevels;
    }

    /** Returns the rules of a client. Takes a look-up for each property of the client, and a comparison for each range of addresses. */
    public CompiledRules forClient(RuleSubject subject) {
        List<RuleNode> selected = new ArrayList<>();
        select(Selector.EVERYONE, selected);
        select(new Selector(Selector.Kind.CLIENT, subject.clientId().value()), selected);
        if (subject.userName() != null) {
            select(new Selector(Selector.Kind.USER, subject.userName()), selected);
        }
        subject.groups().forEach(group -> select(new Selector(Selector.Kind.GROUP, group), selected));
        subject.attributes().forEach((name, value) -> select(Selector.attribute(name, value), selected));
        addresses.forEach((range, root) -> {
            if (range.contains(subject.address())) {
                selected.add(root);
            }
        });
        if (placeholders.isEmpty() && selected.equals(forEveryone.roots())) {
            return forEveryone;
        }
        @Nullable String[] values = new @Nullable String[placeholders.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = RuleFilter.resolve(placeholders.get(i), subject);
        }
        return new CompiledRules(this, selected, values);
    }

    private void select(Selector selector, List<RuleNode> selected) {
        RuleNode root = roots.get(selector);
        if (root != null) {
            selected.add(root);
        }
    }
}
