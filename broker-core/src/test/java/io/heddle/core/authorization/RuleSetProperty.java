package io.heddle.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.NaiveMatcher;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/**
 * Compares the decisions with those of a list of rules that is applied to every topic of up to four levels of a few names. Rules have at
 * most three levels before {@code #}, and a name of the topics is in no rule, so that no topic behaves otherwise.
 * {@code -Dheddle.test.seed} repeats a run; without it, each run is the same.
 */
final class RuleSetProperty {
    private static final List<String> NAMES = List.of("a", "b", "c", "", "$x", "fresh");
    private static final String[] FILTER_LEVELS = {"a", "a", "b", "", "$x", "+", "+"};
    private static final String[] PLACEHOLDERS = {"${username}", "${attribute.site}", "${cn}"};
    private static final @Nullable String[] VALUES = {"a", "b", "$x", "c", null, "", "a/b", "+", "#"};
    private static final int LONGEST_RULE = 3;
    private static final int RULE_SETS = 300;
    private static final int FILTERS = 30;
    private static final List<String> TOPICS = topics();
    private static final Map<String, Integer> NUMBERS =
            IntStream.range(0, TOPICS.size()).boxed().collect(Collectors.toMap(TOPICS::get, each -> each));

    private final Map<String, BitSet> matched = new HashMap<>();

    @RepeatedTest(20)
    void decidesLikeAListOfRulesAboutEveryTopic(RepetitionInfo repetition) {
        long seed = Long.getLong("heddle.test.seed", 0) + repetition.getCurrentRepetition();
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int i = 0; i < RULE_SETS; i++) {
            RuleSet rules = new RuleSet(
                    randomRules(random), RuleOptions.of(random.nextInt(3) == 0 ? Effect.ALLOW : Effect.DENY));
            RuleSubject subject = randomSubject(random);
            String context = "seed %d, default %s, %s, %s"
                    .formatted(seed, rules.options().defaultEffect(), rules.rules(), subject);
            CompiledRules compiled = rules.forClient(subject);
            for (int j = 0; j < FILTERS; j++) {
                checkSubscription(rules, subject, compiled, randomFilter(random, false), random, context);
                checkPublish(rules, subject, compiled, TOPICS.get(random.nextInt(TOPICS.size())), random, context);
            }
        }
    }

    private void checkSubscription(
            RuleSet rules,
            RuleSubject subject,
            CompiledRules compiled,
            String filter,
            RandomGenerator random,
            String context) {
        QoS qos = QoS.ofLevel(random.nextInt(3));
        BitSet denied = denied(rules, subject, Action.SUBSCRIBE, qos, false);
        denied.and(matching(filter));
        TopicFilter requested = TopicFilter.parse(random.nextInt(5) == 0 ? "$share/g/" + filter : filter, 10);

        assertThat(compiled.decideSubscription(requested, qos) == SubscriptionDecision.ALLOWED)
                .as("%s, subscribe %s at %s; denied: %s", context, requested, qos, example(denied))
                .isEqualTo(denied.isEmpty());

        Explanation explanation = compiled.explainSubscribe(requested, qos);
        assertThat(explanation.isAllowed()).isEqualTo(denied.isEmpty());
        assertThat(explanation.isTooComplex()).isFalse();
        // The name that is in no rule.
        String topic = explanation.topic().replace("+", "fresh");
        assertThat(matching(filter).get(number(topic)))
                .as("%s, %s", context, topic)
                .isTrue();
        checkExplanation(explanation, rules, subject, topic, Action.SUBSCRIBE, qos, false, context);
    }

    private void checkPublish(
            RuleSet rules,
            RuleSubject subject,
            CompiledRules compiled,
            String topic,
            RandomGenerator random,
            String context) {
        QoS qos = QoS.ofLevel(random.nextInt(3));
        boolean retain = random.nextBoolean();
        boolean isDenied = denied(rules, subject, Action.PUBLISH, qos, retain).get(number(topic));
        TopicName name = TopicName.parse(topic, 10);

        assertThat(compiled.mayPublish(name, qos, retain))
                .as("%s, publish %s at %s, retain %s", context, topic, qos, retain)
                .isEqualTo(!isDenied);

        Explanation explanation = compiled.explainPublish(name, qos, retain);
        assertThat(explanation.isAllowed()).isEqualTo(!isDenied);
        checkExplanation(explanation, rules, subject, topic, Action.PUBLISH, qos, retain, context);
    }

    private void checkExplanation(
            Explanation explanation,
            RuleSet rules,
            RuleSubject subject,
            String topic,
            Action action,
            QoS qos,
            boolean retain,
            String context) {
        List<Explanation.Considered> expected = new ArrayList<>();
        for (int i = 0; i < rules.rules().size(); i++) {
            Rule rule = rules.rules().get(i);
            if (selects(rule, subject) && matching(rule, subject).get(number(topic))) {
                expected.add(new Explanation.Considered(i + 1, rule, decides(rule, action, qos, retain)));
            }
        }
        Explanation.Considered first = expected.stream()
                .filter(Explanation.Considered::applies)
                .findFirst()
                .orElse(null);

        assertThat(explanation.considered()).as("%s, %s", context, topic).isEqualTo(expected);
        assertThat(explanation.decisive()).as("%s, %s", context, topic).isEqualTo(first);
    }

    // The model.

    private BitSet denied(RuleSet rules, RuleSubject subject, Action action, QoS qos, boolean retain) {
        BitSet undecided = new BitSet();
        undecided.set(0, TOPICS.size());
        BitSet denied = new BitSet();
        for (Rule rule : rules.rules()) {
            if (selects(rule, subject) && decides(rule, action, qos, retain)) {
                BitSet decided = (BitSet) undecided.clone();
                decided.and(matching(rule, subject));
                undecided.andNot(decided);
                if (rule.effect() == Effect.DENY) {
                    denied.or(decided);
                }
            }
        }
        if (rules.options().defaultEffect() == Effect.DENY) {
            denied.or(undecided);
        }
        return denied;
    }

    private static boolean selects(Rule rule, RuleSubject subject) {
        return switch (rule.selector().toString()) {
            case "everyone", "client c1", "group g", "address 10.0.0.0/8" -> true;
            case "user a" -> "a".equals(subject.userName());
            case "anonymous" -> subject.userName() == null;
            default -> false;
        };
    }

    private static boolean decides(Rule rule, Action action, QoS qos, boolean retain) {
        return rule.actions().contains(action)
                && rule.qos().contains(qos)
                && (rule.retain() == null || rule.retain() == retain);
    }

    private BitSet matching(Rule rule, RuleSubject subject) {
        List<String> levels = new ArrayList<>();
        for (String level : rule.filter().value().split("/", -1)) {
            String value = switch (level) {
                case "${username}" -> subject.userName();
                case "${attribute.site}" -> subject.attributes().get("site");
                case "${cn}" -> subject.attributes().get("cn");
                default -> level;
            };
            boolean isPlaceholder = level.startsWith("${");
            boolean isOneLevel = value != null && !value.isEmpty() && !value.matches(".*[/+#].*");
            boolean opensDollarTopics = levels.isEmpty() && value != null && value.startsWith("$");
            if (isPlaceholder && (!isOneLevel || opensDollarTopics)) {
                return new BitSet();
            }
            levels.add(value);
        }
        return matching(String.join("/", levels));
    }

    private BitSet matching(String filter) {
        return matched.computeIfAbsent(filter, _ -> {
            BitSet topics = new BitSet();
            for (int i = 0; i < TOPICS.size(); i++) {
                topics.set(i, NaiveMatcher.matches(filter, TOPICS.get(i)));
            }
            return topics;
        });
    }

    private static int number(String topic) {
        return Objects.requireNonNull(NUMBERS.get(topic), topic);
    }

    private static @Nullable String example(BitSet topics) {
        return topics.isEmpty() ? null : TOPICS.get(topics.nextSetBit(0));
    }

    private static List<String> topics() {
        List<String> all = new ArrayList<>(NAMES);
        List<String> longest = NAMES;
        for (int levels = 2; levels <= LONGEST_RULE + 1; levels++) {
            longest = longest.stream()
                    .flatMap(topic -> NAMES.stream().map(name -> topic + "/" + name))
                    .toList();
            all.addAll(longest);
        }
        all.remove(""); // [MQTT-4.7.3-1]
        return all;
    }

    // The cases.

    private static List<Rule> randomRules(RandomGenerator random) {
        List<Rule> rules = new ArrayList<>();
        int count = random.nextInt(9);
        for (int i = 0; i < count; i++) {
            Set<Action> actions = random.nextInt(4) == 0
                    ? EnumSet.of(random.nextBoolean() ? Action.PUBLISH : Action.SUBSCRIBE)
                    : EnumSet.allOf(Action.class);
            Set<QoS> qos = random.nextInt(4) == 0
                    ? EnumSet.of(QoS.ofLevel(random.nextInt(3)), QoS.ofLevel(random.nextInt(3)))
                    : EnumSet.allOf(QoS.class);
            boolean hasRetain = !actions.contains(Action.SUBSCRIBE) && random.nextBoolean();
            Boolean retain = hasRetain ? (Boolean) random.nextBoolean() : null;
            rules.add(new Rule(
                    random.nextBoolean() ? Effect.ALLOW : Effect.DENY,
                    actions,
                    new RuleFilter(randomFilter(random, true)),
                    qos,
                    retain,
                    randomSelector(random)));
        }
        return rules;
    }

    private static Selector randomSelector(RandomGenerator random) {
        return switch (random.nextInt(13)) {
            case 0 -> new Selector(Selector.Kind.CLIENT, "c1");
            case 1 -> new Selector(Selector.Kind.USER, "a");
            case 2 -> new Selector(Selector.Kind.USER, "nobody");
            case 3 -> new Selector(Selector.Kind.GROUP, "g");
            case 4 -> new Selector(Selector.Kind.ADDRESS, "10.0.0.0/8");
            case 5 -> new Selector(Selector.Kind.ADDRESS, "192.168.0.0/16");
            case 6 -> Selector.ANONYMOUS;
            default -> Selector.EVERYONE;
        };
    }

    private static RuleSubject randomSubject(RandomGenerator random) {
        Map<String, String> attributes = new HashMap<>();
        for (String name : List.of("site", "cn")) {
            String value = VALUES[random.nextInt(VALUES.length)];
            if (value != null) {
                attributes.put(name, value);
            }
        }
        return new RuleSubject(
                new ClientId("c1"),
                VALUES[random.nextInt(VALUES.length)],
                attributes,
                Set.of("g", "h"),
                new InetSocketAddress(InetAddress.ofLiteral("10.1.2.3"), 1));
    }

    private static String randomFilter(RandomGenerator random, boolean withPlaceholders) {
        int levels = random.nextInt(LONGEST_RULE + 1);
        List<String> parts = new ArrayList<>();
        for (int i = 0; i < levels; i++) {
            parts.add(
                    withPlaceholders && random.nextInt(5) == 0
                            ? PLACEHOLDERS[random.nextInt(PLACEHOLDERS.length)]
                            : FILTER_LEVELS[random.nextInt(FILTER_LEVELS.length)]);
        }
        if (levels == 0 || random.nextInt(3) == 0) {
            parts.add("#");
        }
        String filter = String.join("/", parts);
        return filter.isEmpty() ? "/" : filter;
    }
}
