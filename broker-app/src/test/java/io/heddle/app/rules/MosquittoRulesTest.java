package io.heddle.app.rules;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authorization.CompiledRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.SubscriptionDecision;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class MosquittoRulesTest {
    private final List<String> report = new ArrayList<>();
    private final MosquittoRules rules = new MosquittoRules(report::add);

    private List<String> convert(String file) {
        assertThat(rules.read(file.lines().toList())).as("refused").isZero();
        List<String> text = rules.text();
        assertThat(text.subList(0, 3))
                .containsExactly(
                        "# Converted from an acl_file of Mosquitto: first what is denied, then what is allowed.",
                        "default deny",
                        "partial-subscriptions filter");
        assertThat(rules.count()).isEqualTo(text.size() - 3);
        return text.subList(3, text.size());
    }

    @Test
    void theLinesOfAUserAreForThatUserAndThoseBeforeForAnonymousClients() {
        assertThat(convert("""
                topic read news/#
                topic anonymous
                # a comment

                user Alice Smith
                topic write site/+/state
                topic readwrite site/#
                user "quoted"
                topic own
                user Alice Smith
                topic read more
                user m\u00fcller:1
                topic read m\u00fcller
                """))
                .containsExactly(
                        "allow subscribe news/# for anonymous",
                        "allow all anonymous for anonymous",
                        "allow publish site/+/state for user \"Alice Smith\"",
                        "allow all site/# for user \"Alice Smith\"",
                        "allow all own for user \"\\\"quoted\\\"\"",
                        "allow subscribe more for user \"Alice Smith\"",
                        "allow subscribe m\u00fcller for user m\u00fcller:1");
        assertThat(report).isEmpty();
    }

    @Test
    void linesThatDenyComeFirst() {
        assertThat(convert("""
                user bob
                topic read a/#
                topic deny a/secret
                pattern b/#
                pattern deny b/secret
                """))
                .containsExactly(
                        "deny all a/secret for user bob",
                        "deny all b/secret for everyone",
                        "allow subscribe a/# for user bob",
                        "allow all b/# for everyone");
    }

    @Test
    void patternsAreForEveryoneAndHavePlaceholders() {
        assertThat(convert("""
                user bob
                pattern read devices/%c/%u/#
                pattern write %c
                topic literal/%c
                """))
                .containsExactly(
                        "allow subscribe devices/${clientId}/${username}/# for everyone",
                        "allow publish ${clientId} for everyone",
                        "allow all literal/%c for user bob");
        assertThat(report).isEmpty();
    }

    @Test
    void theRestOfALineIsTheTopic() {
        assertThat(convert("topic read a b/c d\ntopic   write   spaced  out   \n  topic x \ntopic read \"q\" \\\n"))
                .containsExactly(
                        "allow subscribe \"a b/c d\" for anonymous",
                        "allow publish \"spaced  out\" for anonymous",
                        "allow all x for anonymous",
                        "allow subscribe \"\\\"q\\\" \\\\\" for anonymous");
    }

    @Test
    void aByteOrderMarkIsNoPartOfTheFirstLine() {
        assertThat(convert("\uFEFFtopic a")).containsExactly("allow all a for anonymous");
    }

    @Test
    void anEmptyFileDeniesEverything() {
        assertThat(convert("")).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "bogus a | a line begins with 'topic', 'pattern' or 'user' and a space",
                "TOPIC a | a line begins with 'topic', 'pattern' or 'user' and a space",
                "' # not in the first column' | a line begins with 'topic', 'pattern' or 'user' and a space",
                "topic | write a topic",
                "topic deny | write a topic behind 'deny'",
                "pattern read | write a topic behind 'read'",
                "user | write a user name",
                "topic a b | write 'read', 'write', 'readwrite' or 'deny' before a topic that has a space",
                "topic READ a | write 'read', 'write', 'readwrite' or 'deny' before a topic that has a space",
                "pattern read a%u/b | %c and %u must be a whole level of the topic: write a 'topic' line for each user",
                "pattern deny x/%c%u | %c and %u must be a whole level of the topic: write a 'topic' line for each user",
                "topic read a/#/b | # must be the whole last level of a topic filter",
                "topic read $share/g/a | a rule applies to the topic filter of a shared subscription: remove $share and"
                        + " the share name",
                "topic read a/${clientId} | a topic with '${' would be a placeholder in Heddle",
                "pattern read ${x}/%c | a topic with '${' would be a placeholder in Heddle",
            })
    void aLineThatCannotBeConvertedIsReported(String line, String reason) {
        assertThat(rules.read(List.of("topic a", line, "topic b"))).isOne();

        assertThat(report).containsExactly("line 2: not converted: " + reason);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "topic read $SYS/# | heddle.sys.readable-by must permit the clients to read $SYS, too",
                "pattern write $SYS/broker/connection/%c/state | clients may not publish below $SYS in Heddle",
                "topic read $CONTROL/x | add '$CONTROL' to heddle.mqtt.allowed-dollar-prefixes, or clients cannot use"
                        + " these topics",
                "pattern deny a/%u | does not deny anything to clients whose client id or user name has '/', '+' or"
                        + " '#', because a placeholder stands for one level",
            })
    void aLineWithAnotherEffectIsConvertedAndReported(String line, String difference) {
        assertThat(convert(line)).hasSize(1);
        assertThat(report).containsExactly("line 1: " + difference);
    }

    /** The requests were also sent to Mosquitto 2.0.11, which decided the same. */
    @ParameterizedTest
    @CsvSource({
        // A user's topics; deny takes precedence.
        "c1, bob, write, bob/a, true",
        "c1, bob, read, bob/a, true",
        "c1, bob, write, bob/secret/a, false",
        "c1, bob, read, bob/secret/a, false",
        "c1, bob, write, only read, false",
        "c1, bob, read, only read, true",
        "c1, bob, write, with space/x, true",
        "c1, bob, read, with space/x, false",
        "c1, bob, write, bare, true",
        "c1, bob, read, bare, true",
        "c1, bob, write, bob2, true",
        "c1, bob, write, other, false",
        "c1, bob, read, other, false",
        "c1, Alice Smith, write, alice/x, true",
        "c1, Alice Smith, write, bob/a, false",
        // Anonymous clients.
        "anon, , write, anon/rw, true",
        "anon, , write, anon/rw/not, false",
        "anon, , write, anon/read, false",
        "anon, , read, anon/read, true",
        "c1, bob, write, anon/rw, false",
        "c1, bob, read, anon/read, false",
        // Patterns.
        "c1, bob, write, p/c1/x, true",
        "c1, bob, write, p/c2/x, false",
        "anon, , write, p/anon/x, true",
        "c1, \u00fcnal, write, u/\u00fcnal, true",
        "c1, bob, write, u/Bob, false",
        "anon, , write, u/, false",
        "c1, bob, write, open/x, true",
        "c1, bob, write, open/closed, false",
        "c1, bob, write, u2/bob, false",
        "c1, bob, write, u2/x, true",
        "c9, bob, write, c9/first, true",
        // Wildcards do not match topics that begin with $.
        "c1, admin, write, x/y, true",
        "c1, admin, write, $SYS/x, false",
    })
    void theRulesDecideLikeMosquitto(
            String clientId, @Nullable String userName, String access, String topic, boolean isAllowed)
            throws Exception {
        CompiledRules compiled = compiled("""
                topic read anon/read
                topic anon/rw
                topic deny anon/rw/not
                user bob
                topic readwrite bob/#
                topic deny bob/secret/#
                topic write with space/x
                topic read only read
                topic bare
                user Alice Smith
                topic readwrite alice/#
                user bob
                topic readwrite bob2
                user admin
                topic #
                pattern readwrite p/%c/#
                pattern readwrite u/%u
                pattern readwrite open/#
                pattern deny open/closed
                pattern deny u2/%u
                pattern readwrite u2/#
                pattern write %c/first
                """, clientId, userName);

        assertThat(
                        access.equals("write")
                                ? compiled.mayPublish(TopicName.parse(topic, 10), QoS.AT_LEAST_ONCE, false)
                                : compiled.mayReceive(TopicName.parse(topic, 10), QoS.AT_LEAST_ONCE))
                .isEqualTo(isAllowed);
    }

    /** Mosquitto matches several levels with such a name, and denies every pattern to names with wildcards. */
    @ParameterizedTest
    @CsvSource({"a/b, p/a/b/x", "a+b, p/a+b/x", "'#', p/y/x", "+, p/y/x"})
    void aPlaceholderStandsForOneLevel(String clientId, String topic) throws Exception {
        CompiledRules compiled = compiled("pattern p/%c/#", clientId, "bob");

        assertThat(compiled.mayPublish(TopicName.known(topic, topic.split("/", -1).length), QoS.AT_MOST_ONCE, false))
                .isFalse();
        assertThat(compiled.decideSubscription(TopicFilter.parse("p/+/x", 10), QoS.AT_MOST_ONCE))
                .isEqualTo(SubscriptionDecision.FILTERED);
        assertThat(compiled.mayReceive(TopicName.known(topic, topic.split("/", -1).length), QoS.AT_MOST_ONCE))
                .isFalse();
    }

    private CompiledRules compiled(String file, String clientId, @Nullable String userName) throws RuleSyntaxException {
        convert(file);
        return RuleSet.read(String.join("\n", rules.text()))
                .forClient(new RuleSubject(
                        new ClientId(clientId), userName, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1)));
    }
}
