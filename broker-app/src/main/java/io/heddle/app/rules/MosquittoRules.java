package io.heddle.app.rules;

import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.Effect;
import io.heddle.core.authorization.Rule;
import io.heddle.core.authorization.RuleFilter;
import io.heddle.core.authorization.Selector;
import io.heddle.core.mqtt.ControlCharacters;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;

/**
 * Rules for topics from an acl_file of Mosquitto. There, a line that denies takes precedence over those that allow, whatever their order, and
 * everything else is denied. So the rules that deny come first. Used once, by one thread.
 */
final class MosquittoRules {
    private static final Set<String> ACCESS = Set.of("read", "write", "readwrite", "deny");
    private static final String CLIENT_ID = "%c";
    private static final String USER_NAME = "%u";
    private static final String PLACEHOLDER = "${";

    private final Consumer<String> report;
    private final List<Rule> denied = new ArrayList<>();
    private final List<Rule> allowed = new ArrayList<>();
    private int number;
    private int refused;
    /** The clients that 'topic' lines are for: anonymous ones before the first user. */
    private Selector selector = Selector.ANONYMOUS;

    /** @param report receives a sentence about each line that cannot be converted, or has another effect */
    MosquittoRules(Consumer<String> report) {
        this.report = report;
    }

    /** Reads all lines, and returns how many cannot be converted. Called once. */
    int read(List<String> lines) {
        for (String line : lines) {
            number++;
            try {
                // A comment begins in the first column.
                String text = number == 1 ? line.replace("\uFEFF", "") : line;
                if (!text.isBlank() && !text.startsWith("#")) {
                    add(text.trim());
                }
            } catch (IllegalArgumentException wrong) {
                refused++;
                say("not converted: " + wrong.getMessage());
            }
        }
        return refused;
    }

    /** Returns the lines of the rules file. */
    List<String> text() {
        List<String> lines = new ArrayList<>();
        lines.add("# Converted from an acl_file of Mosquitto: first what is denied, then what is allowed.");
        lines.add("default deny");
        lines.add("partial-subscriptions filter");
        denied.forEach(rule -> lines.add(rule.toString()));
        allowed.forEach(rule -> lines.add(rule.toString()));
        return lines;
    }

    int count() {
        return denied.size() + allowed.size();
    }

    private void add(String line) {
        int end = line.indexOf(' ');
        String keyword = end < 0 ? line : line.substring(0, end);
        String rest = end < 0 ? "" : line.substring(end).trim();
        switch (keyword) {
            case "user" -> selector = new Selector(Selector.Kind.USER, required(rest, "user name"));
            case "topic" -> add(rest, false);
            case "pattern" -> add(rest, true);
            default ->
                throw new IllegalArgumentException("a line begins with 'topic', 'pattern' or 'user' and a space");
        }
    }

    private void add(String rest, boolean isPattern) {
        int end = required(rest, "topic").indexOf(' ');
        String first = end < 0 ? rest : rest.substring(0, end);
        if (end >= 0 && !ACCESS.contains(first)) {
            throw new IllegalArgumentException(
                    "write 'read', 'write', 'readwrite' or 'deny' before a topic that has a space");
        }
        if (end < 0 && ACCESS.contains(first)) {
            throw new IllegalArgumentException("write a topic behind '" + first + "'");
        }
        String access = end < 0 ? "readwrite" : first;
        String topic = end < 0 ? rest : rest.substring(end).trim();
        if (topic.contains(PLACEHOLDER)) {
            throw new IllegalArgumentException("a topic with '" + PLACEHOLDER + "' would be a placeholder in Heddle");
        }
        boolean isDeny = access.equals("deny");
        Rule rule = new Rule(
                isDeny ? Effect.DENY : Effect.ALLOW,
                switch (access) {
                    case "read" -> EnumSet.of(Action.SUBSCRIBE);
                    case "write" -> EnumSet.of(Action.PUBLISH);
                    default -> EnumSet.allOf(Action.class);
                },
                new RuleFilter(isPattern ? withPlaceholders(topic) : topic),
                EnumSet.allOf(QoS.class),
                null,
                isPattern ? Selector.EVERYONE : selector);
        (isDeny ? denied : allowed).add(rule);
        sayDifference(rule);
    }

    private static String required(String text, String what) {
        if (text.isEmpty()) {
            throw new IllegalArgumentException("write a " + what);
        }
        return text;
    }

    private static String withPlaceholders(String topic) {
        List<String> levels = new ArrayList<>();
        for (String level : topic.split("/", -1)) {
            levels.add(
                    switch (level) {
                        case CLIENT_ID -> "${clientId}";
                        case USER_NAME -> "${username}";
                        default -> level;
                    });
            if (levels.getLast().contains(CLIENT_ID) || levels.getLast().contains(USER_NAME)) {
                throw new IllegalArgumentException(
                        "%c and %u must be a whole level of the topic: write a 'topic' line for each user");
            }
        }
        return String.join("/", levels);
    }

    private void sayDifference(Rule rule) {
        String topic = rule.filter().value();
        boolean isDeny = rule.effect() == Effect.DENY;
        if (isDeny && topic.contains(PLACEHOLDER)) {
            say("does not deny anything to clients whose client id or user name has '/', '+' or '#', because"
                    + " a placeholder stands for one level");
        } else if (topic.equals("$SYS") || topic.startsWith("$SYS/")) {
            if (!isDeny && rule.actions().contains(Action.SUBSCRIBE)) {
                say("heddle.sys.readable-by must permit the clients to read $SYS, too");
            }
            if (!isDeny && rule.actions().contains(Action.PUBLISH)) {
                say("clients may not publish below $SYS in Heddle");
            }
        } else if (!isDeny && topic.startsWith("$") && !topic.startsWith(PLACEHOLDER)) {
            say("add '" + topic.split("/", 2)[0] + "' to heddle.mqtt.allowed-dollar-prefixes, or clients cannot use"
                    + " these topics");
        }
    }

    private void say(String sentence) {
        report.accept("line " + number + ": " + ControlCharacters.escaped(sentence));
    }
}
