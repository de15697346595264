package io.heddle.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.quota.RateLimits;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuleSetTest {
    private static final SocketAddress ADDRESS = new InetSocketAddress(InetAddress.ofLiteral("10.1.2.3"), 1);
    private static final RuleSubject PUMP = subject("pump", "alice");

    @Test
    void withoutRulesTheDefaultDecides() {
        assertThat(mayPublish(RuleSet.NONE.forClient(PUMP), "a")).isTrue();
        assertThat(maySubscribe(RuleSet.NONE.forClient(PUMP), "#")).isTrue();
        CompiledRules denied = new RuleSet(List.of(), RuleOptions.of(Effect.DENY)).forClient(PUMP);
        assertThat(mayPublish(denied, "a")).isFalse();
        assertThat(maySubscribe(denied, "a")).isFalse();
    }

    @Test
    void theFirstMatchingRuleDecidesAlsoAmongRulesForDifferentClients() {
        CompiledRules rules = rules(
                        "allow all a/b for user alice",
                        "deny all a/# for everyone",
                        "allow all a/c for client pump",
                        "allow all # for everyone")
                .forClient(PUMP);

        assertThat(mayPublish(rules, "a/b")).isTrue();
        assertThat(mayPublish(rules, "a/c")).isFalse();
        assertThat(mayPublish(rules, "a")).isFalse();
        assertThat(mayPublish(rules, "b")).isTrue();
    }

    @Test
    void theFirstLimitOfAKindForAClientCounts() throws RuleSyntaxException {
        RuleSet rules = RuleSet.read("""
                default allow
                limit messages none for user alice
                limit bytes 64KB/s for client pump
                limit messages 5/s for address 10.0.0.0/8
                limit bytes 1MB/s for everyone
                limit messages 100/s for everyone
                limit messages-out none for client pump
                limit messages-out 50/s for everyone
                limit bytes-out 2KB/s for user bob
                limit connections 20 for client pump
                limit connections 10 for user alice
                """);

        assertThat(rules.forClient(PUMP).limits())
                .isEqualTo(new ClientLimits(new RateLimits(Long.MAX_VALUE, 65_536), RateLimits.NONE, 20));
        assertThat(rules.forClient(subject("other", "bob")).limits())
                .isEqualTo(new ClientLimits(new RateLimits(5, 1_048_576), new RateLimits(50, 2_048), Long.MAX_VALUE));
        RuleSubject away = new RuleSubject(
                new ClientId("c"),
                null,
                Map.of(),
                Set.of(),
                new InetSocketAddress(InetAddress.ofLiteral("192.0.2.1"), 1));
        assertThat(rules.forClient(away).limits())
                .isEqualTo(new ClientLimits(
                        new RateLimits(100, 1_048_576), new RateLimits(50, Long.MAX_VALUE), Long.MAX_VALUE));
        assertThat(rules.forClient(away)).isSameAs(rules.forClient(away));
        assertThat(RuleSet.NONE.forClient(PUMP).limits()).isSameAs(ClientLimits.NONE);
        assertThat(rules("allow all a for user alice").forClient(PUMP).limits()).isSameAs(ClientLimits.NONE);
    }

    @Test
    void aLineNamesTheMethodsOfAListenerOrOfTheOthers() throws RuleSyntaxException {
        RuleSet rules = RuleSet.read("""
                default allow
                authenticate jwt,password
                authenticate certificate on mqtts
                """);

        assertThat(rules.methods("")).containsExactly("jwt", "password");
        assertThat(rules.methods("mqtts")).containsExactly("certificate");
        assertThat(rules.methods("mqtt")).isNull();
        assertThat(RuleSet.NONE.methods("")).isNull();
        assertThatExceptionOfType(RuleSyntaxException.class)
                .isThrownBy(() -> RuleSet.read("default allow\nauthenticate jwt on a\nauthenticate http on a"))
                .withMessageContaining("line 3")
                .withMessageContaining("a second line with 'authenticate' for this listener");
    }

    @Test
    void theDefaultDoesNotAllowTopicsOfTheBrokerIfThereAreRules() throws RuleSyntaxException {
        RuleSet rules = RuleSet.read("""
                default allow
                allow subscribe $SYS/broker/uptime for everyone
                allow subscribe $SYS/# for user operator
                deny all secret/# for user operator
                """);
        CompiledRules pump = rules.forClient(PUMP);
        CompiledRules operator = rules.forClient(subject("c", "operator"));

        assertThat(maySubscribe(pump, "$SYS/broker/uptime")).isTrue();
        assertThat(maySubscribe(pump, "$SYS/broker/clients")).isFalse();
        assertThat(maySubscribe(pump, "$SYS/#")).isFalse();
        assertThat(maySubscribe(pump, "#")).isTrue();
        assertThat(pump.mayReceive(TopicName.parse("$SYS/broker/clients", 8), QoS.AT_MOST_ONCE))
                .isFalse();
        assertThat(maySubscribe(operator, "$SYS/#")).isTrue();
        CompiledRules withoutOwn =
                RuleSet.read("default allow\nallow all a for user nobody").forClient(PUMP);
        assertThat(maySubscribe(withoutOwn, "$SYS/broker/uptime")).isFalse();
        assertThat(maySubscribe(RuleSet.NONE.forClient(PUMP), "$SYS/#")).isTrue();
    }

    @Test
    void aRuleIsForTheClientsThatItNames() {
        RuleSubject member =
                new RuleSubject(new ClientId("c"), "bob", Map.of("site", "north=1"), Set.of("fitters"), ADDRESS);
        RuleSet rules = rules(
                "allow publish client for client c",
                "allow publish user for user bob",
                "allow publish group for group fitters",
                "allow publish attribute for attribute site=north=1",
                "allow publish address for address 10.1.0.0/16",
                "allow publish everyone for everyone");

        for (String topic : List.of("client", "user", "group", "attribute", "address", "everyone")) {
            assertThat(mayPublish(rules.forClient(member), topic)).as(topic).isTrue();
            assertThat(mayPublish(
                            rules.forClient(new RuleSubject(
                                    new ClientId("bob"),
                                    "c",
                                    new InetSocketAddress(InetAddress.ofLiteral("10.2.0.1"), 1))),
                            topic))
                    .as(topic)
                    .isEqualTo(topic.equals("everyone"));
        }
    }

    @Test
    void aRuleForAnonymousClientsIsForThoseWithoutAUserName() {
        RuleSet rules = rules("allow all a for anonymous", "allow all b for user \"\"");

        assertThat(mayPublish(rules.forClient(subject("c", null)), "a")).isTrue();
        assertThat(maySubscribe(rules.forClient(subject("c", null)), "a")).isTrue();
        assertThat(mayPublish(rules.forClient(subject("c", null)), "b")).isFalse();
        assertThat(mayPublish(rules.forClient(subject("anonymous", "anonymous")), "a"))
                .isFalse();
        assertThat(mayPublish(rules.forClient(subject("c", "")), "a")).isFalse();
    }

    @Test
    void conditionsLimitARule() {
        CompiledRules rules = rules(
                        "allow publish a qos 0,1 retain no for everyone",
                        "allow publish a qos 2 retain yes for everyone",
                        "allow subscribe a qos 0 for everyone")
                .forClient(PUMP);

        assertThat(rules.mayPublish(topic("a"), QoS.AT_LEAST_ONCE, false)).isTrue();
        assertThat(rules.mayPublish(topic("a"), QoS.AT_LEAST_ONCE, true)).isFalse();
        assertThat(rules.mayPublish(topic("a"), QoS.EXACTLY_ONCE, true)).isTrue();
        assertThat(rules.mayPublish(topic("a"), QoS.EXACTLY_ONCE, false)).isFalse();
        assertThat(rules.decideSubscription(filter("a"), QoS.AT_MOST_ONCE)).isEqualTo(SubscriptionDecision.ALLOWED);
        assertThat(rules.decideSubscription(filter("a"), QoS.AT_LEAST_ONCE)).isEqualTo(SubscriptionDecision.DENIED);
    }

    // Placeholders.

    @ParameterizedTest
    @ValueSource(strings = {"", "a/b", "+", "#", "a+", "/"})
    void aValueThatIsNotOneLevelMatchesNothing(String userName) {
        CompiledRules rules = rules("allow all x/${username}/# for everyone", "allow all ${username} for everyone")
                .forClient(subject("c", userName));

        assertThat(mayPublish(rules, "x/" + userName.replaceAll("[+#]", "y") + "/z"))
                .isFalse();
        assertThat(mayPublish(rules, "x")).isFalse();
        assertThat(maySubscribe(rules, "x/#")).isFalse();
        assertThat(maySubscribe(rules, "x/+/z")).isFalse();
        assertThat(maySubscribe(rules, "+")).isFalse();
        assertThat(maySubscribe(rules, "#")).isFalse();
    }

    @Test
    void aValueThatIsAbsentMatchesNothing() {
        CompiledRules rules = rules(
                        "allow all ${username} for everyone",
                        "allow all x/${cn} for everyone",
                        "allow all x/${attribute.site} for everyone")
                .forClient(subject("c", null));

        assertThat(mayPublish(rules, "null")).isFalse();
        assertThat(mayPublish(rules, "x/null")).isFalse();
        assertThat(mayPublish(rules, "x/")).isFalse();
    }

    @Test
    void aValueDoesNotOpenTopicsThatBeginWithDollar() {
        CompiledRules rules = rules("allow all ${clientId}/# for everyone", "allow all a/${clientId} for everyone")
                .forClient(subject("$SYS", null));

        assertThat(mayPublish(rules, "$SYS/x")).isFalse();
        assertThat(maySubscribe(rules, "$SYS/#")).isFalse();
        assertThat(mayPublish(rules, "a/$SYS")).isTrue();
    }

    @Test
    void eachClientHasItsOwnValues() {
        RuleSet rules = rules("allow all ${clientId}/${username}/${attribute.site}/${cn}/# for everyone");
        RuleSubject subject =
                new RuleSubject(new ClientId("c"), "u", Map.of("site", "s", "cn", "n"), Set.of(), ADDRESS);

        assertThat(mayPublish(rules.forClient(subject), "c/u/s/n/x")).isTrue();
        assertThat(mayPublish(rules.forClient(PUMP), "c/u/s/n/x")).isFalse();
    }

    @Test
    void clientsWithTheSameRulesAndNoPlaceholdersShareOneObject() {
        RuleSet rules = rules("allow all a for everyone", "deny all b for user mallory");

        assertThat(rules.forClient(PUMP)).isSameAs(rules.forClient(subject("valve", "bob")));
        assertThat(rules.forClient(subject("c", "mallory"))).isNotSameAs(rules.forClient(PUMP));
    }

    // Subscriptions.

    @ParameterizedTest
    @CsvSource({
        "a/b/c, false",
        "a/+/#, false",
        "a/b/+, false",
        "a/+/c, false",
        "+/b/c, false",
        "#, false",
        "a/#, false",
        "a/b/c/#, false",
        "$share/g/a/+/c, false",
        "$share/g/a/+/d, true",
        "a/+/d, true",
        "a/b, true",
        "a/b/c/d, true",
        "a/+, true",
        "+/+/+/+, true",
        "b/#, true",
        "a/d/#, true",
        "$share/g/a/d/#, true",
    })
    void aSubscriptionMustNotMatchADeniedTopic(String filter, boolean isAllowed) {
        CompiledRules rules =
                rules("deny all a/b/c for everyone", "allow all # for everyone").forClient(PUMP);

        assertThat(maySubscribe(rules, filter)).isEqualTo(isAllowed);
    }

    @ParameterizedTest
    @CsvSource({
        "a/#, true",
        "+/#, true",
        "+/x/+, true",
        "#, true",
        "$x/#, false",
        "$aws/#, true",
        "$aws/+, true",
        "$SYS/#, false"
    })
    void leadingWildcardsOfRulesDoNotCoverTopicsThatBeginWithDollar(String filter, boolean isAllowed) {
        CompiledRules rules = rules("allow all # for everyone", "allow all $aws/# for everyone")
                .forClient(PUMP);

        assertThat(maySubscribe(rules, filter)).isEqualTo(isAllowed);
    }

    @Test
    void severalRulesTogetherCoverAFilter() {
        CompiledRules rules = rules(
                        "allow all a for everyone", "allow all a/+ for everyone", "allow all a/+/+/# for everyone")
                .forClient(PUMP);

        assertThat(maySubscribe(rules, "a/#")).isTrue();
        assertThat(maySubscribe(rules, "a/+/b")).isTrue();
        assertThat(maySubscribe(rules, "+")).isFalse();
    }

    @Test
    void aDenyBehindAnAllowThatCoversItTakesNothing() {
        CompiledRules rules = rules(
                        "allow all a/+/open for everyone", "deny all a/# for everyone", "allow all # for everyone")
                .forClient(PUMP);

        assertThat(maySubscribe(rules, "a/b/open")).isTrue();
        assertThat(maySubscribe(rules, "+/+/open")).isTrue();
        assertThat(maySubscribe(rules, "+/b/+")).isFalse();
    }

    @Test
    void aSubscriptionThatTakesTooMuchWorkToCheckIsRefused() {
        List<Rule> rules = new ArrayList<>();
        for (int i = 0; i < 10_000; i++) {
            rules.add(rule("allow subscribe site/" + i + "/open for everyone"));
            rules.add(rule("deny subscribe site/" + i + "/open for everyone"));
        }
        CompiledRules compiled = new RuleSet(rules, RuleOptions.of(Effect.ALLOW)).forClient(PUMP);

        assertThat(maySubscribe(compiled, "site/7/open")).isTrue();
        assertThat(maySubscribe(compiled, "site/+/closed")).isTrue();
        assertThat(maySubscribe(compiled, "site/+/open")).isFalse();
        Explanation explanation = compiled.explainSubscribe(filter("site/+/open"), QoS.AT_MOST_ONCE);
        assertThat(explanation.isAllowed()).isFalse();
        assertThat(explanation.isTooComplex()).isTrue();
    }

    @Test
    void manyLaterDenyRulesTakeNoWork() {
        List<Rule> rules = new ArrayList<>(List.of(rule("allow all # for user alice")));
        for (int i = 0; i < 100_000; i++) {
            rules.add(rule("deny all site/" + i + "/# for everyone"));
        }
        RuleSet set = new RuleSet(rules, RuleOptions.of(Effect.ALLOW));

        assertThat(maySubscribe(set.forClient(PUMP), "#")).isTrue();
        assertThat(maySubscribe(set.forClient(subject("c", "bob")), "#")).isFalse();
        assertThat(maySubscribe(set.forClient(subject("c", "bob")), "plant/#")).isTrue();
    }

    // Explanations.

    @Test
    void explainsWhichRuleDecidesAndWhichOthersMatch() {
        CompiledRules rules = rules(
                        "deny publish a/# qos 2 for everyone",
                        "deny publish b for everyone",
                        "allow all a/+ for user alice",
                        "deny all a/# for everyone",
                        "deny all a/b for user bob")
                .forClient(PUMP);

        Explanation explanation = rules.explainPublish(topic("a/b"), QoS.AT_MOST_ONCE, false);

        assertThat(explanation.isAllowed()).isTrue();
        assertThat(explanation.decisive())
                .isEqualTo(new Explanation.Considered(3, rule("allow all a/+ for user alice"), true));
        assertThat(explanation.considered())
                .extracting(Explanation.Considered::number, Explanation.Considered::applies)
                .containsExactly(tuple(1, false), tuple(3, true), tuple(4, true));
    }

    @Test
    void explainsARefusedSubscriptionByADeniedTopic() {
        CompiledRules rules =
                rules("deny all +/b/c for everyone", "allow all # for everyone").forClient(PUMP);

        Explanation explanation = rules.explainSubscribe(filter("$share/g/a/#"), QoS.AT_MOST_ONCE);

        assertThat(explanation.isAllowed()).isFalse();
        assertThat(explanation.topic()).isEqualTo("a/b/c");
        assertThat(explanation.decisive())
                .isEqualTo(new Explanation.Considered(1, rule("deny all +/b/c for everyone"), true));
    }

    @Test
    void explainsTheDefaultByNoRule() {
        Explanation explanation =
                rules("allow all a/b for everyone").forClient(PUMP).explainSubscribe(filter("a/+"), QoS.AT_MOST_ONCE);

        assertThat(explanation).isEqualTo(new Explanation(false, "a/+", null, List.of(), false));
    }

    private static RuleSubject subject(String clientId, @Nullable String userName) {
        return new RuleSubject(new ClientId(clientId), userName, ADDRESS);
    }

    /** Rules with the default to deny. */
    @Test
    void aSharedSubscriptionIsNotFiltered() throws RuleSyntaxException {
        CompiledRules compiled = RuleSet.read(
                        "default allow\npartial-subscriptions filter\ndeny subscribe a/secret for everyone")
                .forClient(PUMP);

        assertThat(compiled.decideSubscription(filter("a/#"), QoS.AT_MOST_ONCE))
                .isEqualTo(SubscriptionDecision.FILTERED);
        assertThat(compiled.decideSubscription(filter("$share/g/a/#"), QoS.AT_MOST_ONCE))
                .isEqualTo(SubscriptionDecision.DENIED);
    }

    private static RuleSet rules(String... lines) {
        return new RuleSet(List.of(lines).stream().map(RuleSetTest::rule).toList(), RuleOptions.of(Effect.DENY));
    }

    private static Rule rule(String line) {
        try {
            return Rule.parse(line);
        } catch (RuleSyntaxException invalid) {
            throw new IllegalArgumentException(line, invalid);
        }
    }

    private static boolean mayPublish(CompiledRules rules, String topic) {
        return rules.mayPublish(topic(topic), QoS.AT_MOST_ONCE, false);
    }

    private static boolean maySubscribe(CompiledRules rules, String filter) {
        return rules.decideSubscription(filter(filter), QoS.AT_MOST_ONCE) == SubscriptionDecision.ALLOWED;
    }

    private static TopicName topic(String topic) {
        return TopicName.parse(topic, 64);
    }

    private static TopicFilter filter(String filter) {
        return TopicFilter.parse(filter, 64);
    }

    @ParameterizedTest
    @ValueSource(strings = {"\0", "\ud800", "\udc00\ud800"})
    void aCharacterThatCannotBeStoredIsNamed(String character) {
        assertThatThrownBy(() -> RuleSet.read("default allow\n# a" + character + "b"))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessageStartingWith("line 2, column 4: U+")
                .hasMessageEndingWith("is not allowed, not even in a comment");
    }

    @Test
    void aCharacterOfTwoUnitsIsAllowed() throws RuleSyntaxException {
        assertThat(RuleSet.read("default allow\n# \ud83d\ude00").notRehearsed()).isEmpty();
    }

    @Test
    void linesThatADryRunDoesNotTryAreNamed() throws RuleSyntaxException {
        assertThat(RuleSet.read("default allow\nauthenticate jwt\nlimit messages 1/s for everyone")
                        .notRehearsed())
                .containsExactly("limit", "authenticate");
    }
}
