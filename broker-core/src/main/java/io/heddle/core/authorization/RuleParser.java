package io.heddle.core.authorization;

import io.heddle.core.authorization.RuleWords.Word;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.core.mqtt.QoS;
import java.util.EnumSet;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Reads the text of one line of rules:
 *
 * <pre>
 * allow|deny publish|subscribe|all FILTER [qos 0,1,2] [retain yes|no] for WHO
 * limit messages|bytes|messages-out|bytes-out NUMBER[KB|MB]/s|none for WHO
 * limit connections NUMBER|none for WHO
 * authenticate METHOD[,METHOD...] [on LISTENER]
 * WHO: everyone | anonymous | client ID | user NAME | group NAME | attribute NAME=VALUE | address RANGE
 * </pre>
 */
final class RuleParser {
    private static final Pattern METHODS = Pattern.compile("[a-z]+(,[a-z]+)*");
    private static final Pattern QOS = Pattern.compile("[012](,[012])*");
    private static final Pattern MAXIMUM = Pattern.compile("([1-9][0-9]{0,9})(KB|MB)?(/s)?");
    private static final int KILO = 1_024;

    private final String line;
    private final List<Word> words;
    private int next;

    RuleParser(String line) throws RuleSyntaxException {
        this.line = line;
        this.words = RuleWords.split(line);
    }

    Rule rule() throws RuleSyntaxException {
        Effect effect = effect();
        Set<Action> actions = actions();
        RuleFilter filter = checked(word("a topic filter"), RuleFilter::new);
        Set<QoS> qos = skip("qos") ? qos() : EnumSet.allOf(QoS.class);
        Word retainWord = next < words.size() ? words.get(next) : null;
        Boolean retain = skip("retain") ? retain() : null;
        if (!skip("for")) {
            throw expected("'qos', 'retain' or 'for', in this order");
        }
        Selector selector = selector();
        requireEnd();
        return retainWord == null
                ? new Rule(effect, actions, filter, qos, retain, selector)
                : checked(retainWord, _ -> new Rule(effect, actions, filter, qos, retain, selector));
    }

    /**
     * Reads the line of an option, a name and a value.
     *
     * @return false if the line does not begin with the name of an option
     */
    boolean readOption(RuleOptions.Lines options) throws RuleSyntaxException {
        for (RuleOptions.Option option : RuleOptions.Option.values()) {
            if (skip(option.word())) {
                String expected = "'" + option.yes() + "' or '" + option.no() + "'";
                String value = word(expected).text();
                if (!value.equals(option.yes()) && !value.equals(option.no())) {
                    throw unexpected(expected);
                }
                requireEnd();
                options.set(option, value.equals(option.yes()));
                return true;
            }
        }
        return false;
    }

    /**
     * Reads the methods of authentication of a listener, or of those that have none of their own, whose name is empty here.
     *
     * @param known the methods and listeners that the line may name; null for all
     * @return false if the line does not begin with {@code authenticate}
     */
    boolean readMethods(Map<String, List<String>> methods, @Nullable ListenerMethods known) throws RuleSyntaxException {
        if (!skip("authenticate")) {
            return false;
        }
        String expected = "different methods such as jwt,password";
        Word names = word(expected);
        List<String> inOrder = List.of(names.text().split(",", -1));
        if (!METHODS.matcher(names.text()).matches() || new HashSet<>(inOrder).size() < inOrder.size()) {
            throw unexpected(expected);
        }
        Word listener = skip("on") ? word("the name of a listener") : null;
        requireEnd();
        if (known != null) {
            for (String each : inOrder) {
                known.requireMethod(each, names.column());
            }
            if (listener != null) {
                known.requireListener(listener.text(), listener.column());
            }
        }
        if (methods.putIfAbsent(listener == null ? "" : listener.text(), inOrder) != null) {
            throw new RuleSyntaxException(1, "a second line with 'authenticate' for this listener: remove one of them");
        }
        return true;
    }

    /** Reads a limit; returns null if the line is none. */
    @Nullable
    ClientLimit limit() throws RuleSyntaxException {
        if (!skip("limit")) {
            return null;
        }
        String kinds = "'messages', 'bytes', 'messages-out', 'bytes-out' or 'connections'";
        String kindWord = word(kinds).text();
        ClientLimit.Kind kind = Stream.of(ClientLimit.Kind.values())
                .filter(each -> each.word().equals(kindWord))
                .findAny()
                .orElseThrow(() -> unexpected(kinds));
        long maximum = skip("none") ? Long.MAX_VALUE : maximum(kind);
        if (!skip("for")) {
            throw expected("'for'");
        }
        Selector clients = selector();
        if (kind == ClientLimit.Kind.CONNECTIONS && clients.kind() == Selector.Kind.ANONYMOUS) {
            throw unexpected("clients with a user name: those without have no such limit");
        }
        ClientLimit limit = new ClientLimit(kind, maximum, clients);
        requireEnd();
        return limit;
    }

    private long maximum(ClientLimit.Kind kind) throws RuleSyntaxException {
        String expected = switch (kind) {
            case BYTES, BYTES_OUT -> "a rate such as 500/s, 64KB/s or 1MB/s, or 'none'";
            case MESSAGES, MESSAGES_OUT -> "a rate such as 100/s, or 'none'";
            case CONNECTIONS -> "a number, or 'none'";
        };
        Matcher maximum = MAXIMUM.matcher(word(expected).text());
        if (!maximum.matches()
                || (!kind.isOfBytes() && maximum.group(2) != null)
                || kind.isRate() == (maximum.group(3) == null)) {
            throw unexpected(expected);
        }
        long number = Long.parseLong(maximum.group(1));
        return switch (maximum.group(2)) {
            case "KB" -> number * KILO;
            case "MB" -> number * KILO * KILO;
            case null, default -> number;
        };
    }

    private Effect effect() throws RuleSyntaxException {
        String expected = "'allow', 'deny', 'limit', 'authenticate' or an option such as 'default'";
        return switch (word(expected).text()) {
            case "allow" -> Effect.ALLOW;
            case "deny" -> Effect.DENY;
            default -> throw unexpected(expected);
        };
    }

    private Set<Action> actions() throws RuleSyntaxException {
        String expected = "'publish', 'subscribe' or 'all'";
        return switch (word(expected).text()) {
            case "publish" -> EnumSet.of(Action.PUBLISH);
            case "subscribe" -> EnumSet.of(Action.SUBSCRIBE);
            case "all" -> EnumSet.allOf(Action.class);
            default -> throw unexpected(expected);
        };
    }

    private Set<QoS> qos() throws RuleSyntaxException {
        String expected = "QoS levels such as 0,1";
        String text = word(expected).text();
        if (!QOS.matcher(text).matches()) {
            throw unexpected(expected);
        }
        Set<QoS> qos = EnumSet.noneOf(QoS.class);
        for (String level : text.split(",", -1)) {
            qos.add(QoS.ofLevel(Integer.parseInt(level)));
        }
        return qos;
    }

    private boolean retain() throws RuleSyntaxException {
        String expected = "'yes' or 'no'";
        return switch (word(expected).text()) {
            case "yes" -> true;
            case "no" -> false;
            default -> throw unexpected(expected);
        };
    }

    private Selector selector() throws RuleSyntaxException {
        String kinds = "'everyone', 'anonymous', 'client', 'user', 'group', 'attribute' or 'address'";
        String word = word(kinds).text();
        for (Selector.Kind kind : Selector.Kind.values()) {
            if (kind.word().equals(word)) {
                return kind.hasValue()
                        ? checked(word("the value of " + word), value -> new Selector(kind, value))
                        : new Selector(kind, "");
            }
        }
        throw unexpected(kinds);
    }

    // Words.

    private Word word(String expected) throws RuleSyntaxException {
        if (next == words.size()) {
            throw expected(expected);
        }
        return words.get(next++);
    }

    private boolean skip(String keyword) {
        boolean found = next < words.size() && words.get(next).text().equals(keyword);
        next += found ? 1 : 0;
        return found;
    }

    private void requireEnd() throws RuleSyntaxException {
        if (next < words.size()) {
            throw expected("the end of the line");
        }
    }

    /** The error for the word that was read last. */
    private RuleSyntaxException unexpected(String expected) {
        next--;
        return expected(expected);
    }

    private RuleSyntaxException expected(String expected) {
        if (next == words.size()) {
            return new RuleSyntaxException(line.length() + 1, "the line ends: write " + expected);
        }
        Word word = words.get(next);
        return new RuleSyntaxException(
                word.column(), "'" + ControlCharacters.escaped(word.text()) + "'" + ": write " + expected);
    }

    private static <T> T checked(Word word, Function<String, T> create) throws RuleSyntaxException {
        try {
            return create.apply(word.text());
        } catch (IllegalArgumentException invalid) {
            throw new RuleSyntaxException(word.column(), String.valueOf(invalid.getMessage()));
        }
    }
}
