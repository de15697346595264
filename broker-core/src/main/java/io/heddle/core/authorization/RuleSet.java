package io.heddle.core.authorization;

import io.heddle.core.client.AddressRange;
import io.heddle.core.quota.RateLimits;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.EnumMap;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * Ordered rules: of those that are for a client and match its request, the first one decides; if there is none, the default. Immutable.
 *
 * <p>Limits of clients are ordered, too: of those of a kind, the first one for the client counts.
 *
 * <p>The rules are compiled once, into one trie for each {@link Selector}, which all clients share. So the memory depends on the number of
 * rules, and not on the number of clients or the combinations of users, groups and addresses that occur.
 */
public final class RuleSet {
    /** No rules: everything is allowed. */
    public static final RuleSet NONE = new RuleSet(List.of(), RuleOptions.of(Effect.ALLOW));

    /** The highest length of a text in UTF-8: it fits into one record of a log. */
    public static final int MAXIMUM_BYTES = 800_000;

    private final List<Rule> rules;
    private final RuleOptions options;
    private final List<ClientLimit> limits;
    // By the name of the listener; empty for those that have none of their own.
    private final Map<String, List<String>> methods;
    private final Map<Selector, RuleNode> roots = new HashMap<>();
    // The position of the first limit for the clients of a selector.
    private final Map<Selector, Map<ClientLimit.Kind, Integer>> firstLimits = new HashMap<>();
    private final Map<AddressRange, Selector> addresses = new HashMap<>();
    private final List<String> placeholders;
    private final int maximumLevels;
    private final boolean needsConnection;
    /** The rules of clients that only those for everyone select; shared if no rule has a placeholder. */
    private final CompiledRules forEveryone;

    /** Creates rules without limits of clients. */
    public RuleSet(List<Rule> rules, RuleOptions options) {
        this(rules, List.of(), Map.of(), options);
    }

    /** @throws IllegalArgumentException if there are more than {@value RuleEntry#MAXIMUM_RULES} rules */
    private RuleSet(
            List<Rule> rules, List<ClientLimit> limits, Map<String, List<String>> methods, RuleOptions options) {
        if (rules.size() > RuleEntry.MAXIMUM_RULES) {
            throw new IllegalArgumentException("more than " + RuleEntry.MAXIMUM_RULES + " rules");
        }
        this.rules = List.copyOf(rules);
        this.limits = List.copyOf(limits);
        this.methods = Map.copyOf(methods);
        this.options = options;
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
        this.needsConnection = rules.stream().anyMatch(Rule::needsConnection);
        for (int position = 0; position < limits.size(); position++) {
            ClientLimit limit = limits.get(position);
            noteAddress(limit.selector());
            firstLimits
                    .computeIfAbsent(limit.selector(), _ -> new EnumMap<>(ClientLimit.Kind.class))
                    .putIfAbsent(limit.kind(), position);
        }
        RuleNode everyone = roots.get(Selector.EVERYONE);
        this.forEveryone = new CompiledRules(
                this,
                everyone == null ? List.of() : List.of(everyone),
                new String[0],
                limits(List.of(Selector.EVERYONE)));
    }

    /**
     * Reads a text with one rule, limit or list of methods in each line, the line {@code default allow} or {@code default deny}, and further options
     * ({@link RuleOptions}). Empty lines, and those that begin with {@code #}, are comments.
     *
     * @throws RuleSyntaxException if a line is none of these, the default is missing, or the text is longer than {@value #MAXIMUM_BYTES} bytes
     */
    public static RuleSet read(String text) throws RuleSyntaxException {
        return read(text, null);
    }

    /**
     * Reads a text like {@link #read(String)}.
     *
     * @param known the methods of authentication and the listeners that the text may name; null for all
     */
    public static RuleSet read(String text, @Nullable ListenerMethods known) throws RuleSyntaxException {
        if (text.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_BYTES) {
            throw new RuleSyntaxException("the rules have more than " + MAXIMUM_BYTES
                    + " bytes: replace rules for single clients by placeholders or groups");
        }
        List<Rule> rules = new ArrayList<>();
        List<ClientLimit> limits = new ArrayList<>();
        Map<String, List<String>> methods = new HashMap<>();
        RuleOptions.Lines options = new RuleOptions.Lines();
        // Editors of Windows begin a file with a byte order mark.
        List<String> lines = text.startsWith("\uFEFF")
                ? text.substring(1).lines().toList()
                : text.lines().toList();
        for (int i = 0; i < lines.size(); i++) {
            String line = lines.get(i);
            requireText(line, i + 1);
            if (line.isBlank() || line.stripLeading().startsWith("#")) {
                continue;
            }
            try {
                RuleParser parser = new RuleParser(line);
                ClientLimit limit = parser.limit();
                if (limit != null) {
                    limits.add(limit);
                } else if (!parser.readOption(options) && !parser.readMethods(methods, known)) {
                    rules.add(parser.rule());
                }
            } catch (RuleSyntaxException wrong) {
                throw new RuleSyntaxException("line " + (i + 1) + ", " + wrong.getMessage());
            }
        }
        return new RuleSet(rules, limits, methods, options.toOptions());
    }

    private RuleNode root(Selector selector) {
        noteAddress(selector);
        return new RuleNode("");
    }

    private void noteAddress(Selector selector) {
        if (selector.kind() == Selector.Kind.ADDRESS) {
            addresses.put(AddressRange.parse(selector.value()), selector);
        }
    }

    /** Returns the rules in their order. */
    public List<Rule> rules() {
        return rules;
    }

    public RuleOptions options() {
        return options;
    }

    /** Returns whether there are no rules and the default allows. */
    public boolean allowsEverything() {
        return rules.isEmpty() && options.defaultEffect() == Effect.ALLOW;
    }

    /** Returns whether a decision can depend on a property that a client has only while it is connected: its address, groups or attributes. */
    public boolean needsConnection() {
        return needsConnection;
    }

    /** The highest number of levels of a filter, without {@code #}. */
    int maximumLevels() {
        return maximumLevels;
    }

    /** Returns the rules of a client. Takes a look-up for each property of the client, and a comparison for each range of addresses. */
    public CompiledRules forClient(RuleSubject subject) {
        List<Selector> selectors = selectors(subject);
        List<RuleNode> selected = new ArrayList<>();
        for (Selector each : selectors) {
            RuleNode root = roots.get(each);
            if (root != null) {
                selected.add(root);
            }
        }
        ClientLimits ofClient = limits(selectors);
        if (placeholders.isEmpty() && selected.equals(forEveryone.roots()) && ofClient.equals(forEveryone.limits())) {
            return forEveryone;
        }
        @Nullable String[] values = new @Nullable String[placeholders.size()];
        for (int i = 0; i < values.length; i++) {
            values[i] = RuleFilter.resolve(placeholders.get(i), subject);
        }
        return new CompiledRules(this, selected, values, ofClient);
    }

    private List<Selector> selectors(RuleSubject subject) {
        List<Selector> selectors = new ArrayList<>();
        selectors.add(Selector.EVERYONE);
        selectors.add(new Selector(Selector.Kind.CLIENT, subject.clientId().value()));
        selectors.add(
                subject.userName() == null ? Selector.ANONYMOUS : new Selector(Selector.Kind.USER, subject.userName()));
        subject.groups().forEach(group -> selectors.add(new Selector(Selector.Kind.GROUP, group)));
        subject.attributes().forEach((name, value) -> selectors.add(Selector.attribute(name, value)));
        addresses.forEach((range, selector) -> {
            if (range.contains(subject.address())) {
                selectors.add(selector);
            }
        });
        return selectors;
    }

    /** Returns the first words of the lines that a dry run does not try, such as {@code limit}. */
    public List<String> notRehearsed() {
        List<String> words = new ArrayList<>();
        if (!limits.isEmpty()) {
            words.add("limit");
        }
        if (!methods.isEmpty()) {
            words.add("authenticate");
        }
        return words;
    }

    /** PostgreSQL cannot store NUL, nor UTF-8 half a character. */
    private static void requireText(String line, int number) throws RuleSyntaxException {
        for (int i = 0; i < line.length(); i += Character.charCount(line.codePointAt(i))) {
            int character = line.codePointAt(i);
            if (character == 0 || Character.getType(character) == Character.SURROGATE) {
                throw new RuleSyntaxException("line " + number + ", column " + (i + 1)
                        + ": U+%04X is not allowed, not even in a comment".formatted(character));
            }
        }
    }

    /**
     * Returns the methods of authentication of a listener, in their order; null if no line has them.
     *
     * @param listener its name; empty for the line without a listener
     */
    public @Nullable List<String> methods(String listener) {
        return methods.get(listener);
    }

    /** Returns the first limit of each kind for clients of these selectors. */
    private ClientLimits limits(List<Selector> selectors) {
        if (limits.isEmpty()) {
            return ClientLimits.NONE;
        }
        return new ClientLimits(
                rates(ClientLimit.Kind.MESSAGES, ClientLimit.Kind.BYTES, selectors),
                rates(ClientLimit.Kind.MESSAGES_OUT, ClientLimit.Kind.BYTES_OUT, selectors),
                limit(ClientLimit.Kind.CONNECTIONS, selectors));
    }

    private RateLimits rates(ClientLimit.Kind messages, ClientLimit.Kind bytes, List<Selector> selectors) {
        return new RateLimits(limit(messages, selectors), limit(bytes, selectors));
    }

    private long limit(ClientLimit.Kind kind, List<Selector> selectors) {
        int first = limits.size();
        for (Selector each : selectors) {
            first = Math.min(first, firstLimits.getOrDefault(each, Map.of()).getOrDefault(kind, first));
        }
        return first == limits.size() ? Long.MAX_VALUE : limits.get(first).maximum();
    }
}
