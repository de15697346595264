package io.heddle.core.authorization;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.mqtt.QoS;
import java.util.EnumSet;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

final class RuleTest {
    @Test
    void readsAllPartsOfARule() throws RuleSyntaxException {
        assertThat(Rule.parse("  deny publish\tsensors/${clientId}/#  qos 2,0 retain yes for user alice "))
                .isEqualTo(new Rule(
                        Effect.DENY,
                        Set.of(Action.PUBLISH),
                        new RuleFilter("sensors/${clientId}/#"),
                        Set.of(QoS.AT_MOST_ONCE, QoS.EXACTLY_ONCE),
                        true,
                        new Selector(Selector.Kind.USER, "alice")));
    }

    @Test
    void aRuleWithoutConditionsIsForEveryQosAndBothValuesOfRetain() throws RuleSyntaxException {
        assertThat(Rule.parse("allow all # for everyone"))
                .isEqualTo(new Rule(
                        Effect.ALLOW,
                        EnumSet.allOf(Action.class),
                        new RuleFilter("#"),
                        EnumSet.allOf(QoS.class),
                        null,
                        Selector.EVERYONE));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "allow all # for everyone",
                "allow subscribe notices/# for anonymous",
                "deny publish a/+/b qos 0,2 retain no for client pump-1",
                "allow subscribe ${cn}/${username}/${attribute.site-1}/# qos 1 for group fitters",
                "deny all \"a topic/with \\\"quotes\\\" and \\\\\" for user \"Alice Smith\"",
                "allow publish for for client for",
                "allow publish back\\slash for attribute site=a=b",
                "allow publish \"/\" for client \"\"",
                "deny subscribe $SYS/# for address 10.0.0.0/8",
                "allow all $aws/# for address fd00::1",
            })
    void writesWhatItReads(String line) throws RuleSyntaxException {
        String written = Rule.parse(line).toString();

        assertThat(Rule.parse(written)).isEqualTo(Rule.parse(line));
        assertThat(written.replace("\"/\"", "/")).isEqualTo(line.replace("\"/\"", "/"));
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "`` | 1 | the line ends: write 'allow', 'deny', 'limit', 'authenticate' or an option such as 'default'",
                "permit all # for everyone | 1 | 'permit': write 'allow', 'deny', 'limit', 'authenticate' or an option such as 'default'",
                "allow read # for everyone | 7 | 'read': write 'publish', 'subscribe' or 'all'",
                "allow all | 10 | the line ends: write a topic filter",
                "allow all a/#/b for everyone | 11 | # must be the whole last level of a topic filter",
                "allow all $share/g/a for everyone | 11 | a rule applies to the topic filter of a shared subscription:"
                        + " remove $share and the share name",
                "allow all x${clientId} for everyone | 11 | 'x${clientId}' is not a placeholder: write a whole level"
                        + " ${clientId}, ${username}, ${cn} or ${attribute.NAME}",
                "allow all ${name} for everyone | 11 | '${name}' is not a placeholder: write a whole level"
                        + " ${clientId}, ${username}, ${cn} or ${attribute.NAME}",
                "allow all a | 12 | the line ends: write 'qos', 'retain' or 'for', in this order",
                "allow all a qos 3 for everyone | 17 | '3': write QoS levels such as 0,1",
                "allow publish a retain maybe for everyone | 24 | 'maybe': write 'yes' or 'no'",
                "allow all a retain yes for everyone | 13 | only rules for 'publish' have 'retain': write one rule for"
                        + " each action",
                "allow publish a retain no qos 1 for everyone | 27 | 'qos': write 'qos', 'retain' or 'for', in this order",
                "allow all a for somebody | 17 | 'somebody': write 'everyone', 'anonymous', 'client', 'user', 'group',"
                        + " 'attribute' or 'address'",
                "allow all a for user | 21 | the line ends: write the value of user",
                "allow all a for attribute site | 27 | write the attribute as NAME=VALUE",
                "allow all a for address 10.0.0.0/33 | 25 | use an address or a network such as 10.0.0.0/8 or fd00::/8",
                "allow all a for anonymous alice | 27 | 'alice': write the end of the line",
                "allow all a for everyone else | 26 | 'else': write the end of the line",
                "allow all a\"b for everyone | 11 | misplaced quotes: put a word with spaces or quotes in quotes,"
                        + " and a backslash before its quotes",
                "allow all \"a for everyone | 11 | misplaced quotes: put a word with spaces or quotes in quotes,"
                        + " and a backslash before its quotes",
                "allow all \"a\\  | 11 | misplaced quotes: put a word with spaces or quotes in quotes,"
                        + " and a backslash before its quotes",
                "allow all \"a\"b for everyone | 11 | misplaced quotes: put a word with spaces or quotes in quotes,"
                        + " and a backslash before its quotes",
            })
    void namesTheColumnAndTheRemedy(String line, int column, String detail) {
        assertThatThrownBy(() -> Rule.parse(line))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessage("column %d: %s", column, detail);
    }

    @Test
    void readsTheOptionsOfATextInAnyPlace() throws RuleSyntaxException {
        RuleSet rules = RuleSet.read("""
                revoked-subscriptions remove
                # a comment

                allow all a for everyone
                partial-subscriptions filter
                default deny
                """);

        assertThat(rules.options()).isEqualTo(new RuleOptions(Effect.DENY, true, false));
        assertThat(rules.rules()).containsExactly(Rule.parse("allow all a for everyone"));
        assertThat(RuleSet.read("default allow").options()).isEqualTo(new RuleOptions(Effect.ALLOW, false, true));
    }

    @Test
    void aByteOrderMarkIsSkipped() throws RuleSyntaxException {
        assertThat(RuleSet.read("\uFEFFdefault deny\r\n").rules()).isEmpty();
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', textBlock = """
        allow all # for everyone                     | there is no default: add the line 'default allow' or 'default deny'
        default deny;default deny                    | line 2, column 1: a second line with 'default': remove one of them
        ;default deny;allow all a/#/b for everyone   | line 3, column 11: # must be the whole last level of a topic filter
        partial-subscriptions yes                    | line 1, column 23: 'yes': write 'filter' or 'refuse'
        revoked-subscriptions                        | line 1, column 22: the line ends: write 'disconnect' or 'remove'
        default allow everything                     | line 1, column 15: 'everything': write the end of the line
        limit packets 1/s for everyone               | line 1, column 7: 'packets': write 'messages', 'bytes', 'messages-out', 'bytes-out' or 'connections'
        limit messages 0/s for everyone              | line 1, column 16: '0/s': write a rate such as 100/s, or 'none'
        limit messages 1KB/s for everyone            | line 1, column 16: '1KB/s': write a rate such as 100/s, or 'none'
        limit bytes 1 for everyone                   | line 1, column 13: '1': write a rate such as 500/s, 64KB/s or 1MB/s, or 'none'
        limit messages-out 1KB/s for everyone        | line 1, column 20: '1KB/s': write a rate such as 100/s, or 'none'
        limit bytes-out 1 for everyone               | line 1, column 17: '1': write a rate such as 500/s, 64KB/s or 1MB/s, or 'none'
        limit connections 5/s for everyone           | line 1, column 19: '5/s': write a number, or 'none'
        limit connections 5 for anonymous            | line 1, column 25: 'anonymous': write clients with a user name: those without have no such limit
        limit connections 5KB for everyone           | line 1, column 19: '5KB': write a number, or 'none'
        authenticate                                 | line 1, column 13: the line ends: write different methods such as jwt,password
        authenticate jwt,,http                       | line 1, column 14: 'jwt,,http': write different methods such as jwt,password
        authenticate jwt,jwt                         | line 1, column 14: 'jwt,jwt': write different methods such as jwt,password
        authenticate jwt, http                       | line 1, column 14: 'jwt,': write different methods such as jwt,password
        authenticate jwt on                          | line 1, column 20: the line ends: write the name of a listener
        authenticate jwt for tls                     | line 1, column 18: 'for': write the end of the line
        limit bytes 1/s user alice                   | line 1, column 17: 'user': write 'for'
        limit bytes 1/s for everyone now             | line 1, column 30: 'now': write the end of the line
        """)
    void aWrongLineOfATextIsNamed(String lines, String expected) {
        assertThatThrownBy(() -> RuleSet.read(lines.replace(';', '\n')))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessageStartingWith(expected);
    }
}
