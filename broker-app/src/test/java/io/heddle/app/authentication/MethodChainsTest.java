package io.heddle.app.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.Authentication.Chain;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.Authenticator;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.ReasonCode;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MethodChainsTest {
    private final ActiveRules active = new ActiveRules(RuleSet.NONE);
    private final List<List<MethodName>> created = new ArrayList<>();
    private final List<Authenticator> last = new ArrayList<>();
    private final MethodChains chains = new MethodChains(
            active,
            Map.of("mqtts", List.of(MethodName.CERTIFICATE)),
            List.of(MethodName.PASSWORD, MethodName.CERTIFICATE, MethodName.HTTP),
            (methods, deciding) -> {
                created.add(methods);
                if (deciding != null) {
                    last.add(deciding);
                }
                return new Chain(List.of(), List.of());
            });

    private void rules(int version, String... lines) throws RuleSyntaxException {
        active.apply(version, RuleSet.read("default allow\n" + String.join("\n", lines)));
    }

    @Test
    void withoutALineTheSettingsDecide() throws RuleSyntaxException {
        Chain first = chains.apply("mqtt");
        assertThat(chains.apply("mqtt")).isSameAs(first);
        chains.apply("mqtts");
        rules(1, "authenticate http on other");
        chains.apply("mqtts");

        assertThat(created)
                .containsExactly(
                        List.of(MethodName.PASSWORD, MethodName.CERTIFICATE, MethodName.HTTP),
                        List.of(MethodName.CERTIFICATE),
                        List.of(MethodName.CERTIFICATE));
        assertThat(last).as("anonymous access").isEmpty();
    }

    @Test
    void theRulesInForceDecideAboutTheNextClient() throws RuleSyntaxException {
        rules(1, "authenticate http,password", "authenticate password on mqtts");
        chains.apply("mqtt");
        chains.apply("mqtts");
        rules(2, "authenticate password");
        chains.apply("mqtt");

        assertThat(created)
                .containsExactly(
                        List.of(MethodName.HTTP, MethodName.PASSWORD),
                        List.of(MethodName.PASSWORD),
                        List.of(MethodName.PASSWORD));
    }

    @Test
    void aLineForAllListenersDoesNotOpenOneWithMethodsOfItsOwn() throws RuleSyntaxException {
        rules(1, "authenticate http,password");
        chains.apply("mqtts");

        assertThat(created).containsExactly(List.of(MethodName.CERTIFICATE));
    }

    @Test
    void clientsAreRefusedIfTheRulesNameAMethodThatThisNodeDoesNotHave() throws RuleSyntaxException {
        rules(1, "authenticate http,scram,password");
        chains.apply("mqtt");
        rules(2, "authenticate scram");
        chains.apply("mqtt");

        assertThat(created).containsExactly(List.of(MethodName.HTTP), List.of());
        ConnectCredentials client = new ConnectCredentials(
                new ClientId("c"), "alice", null, new InetSocketAddress(InetAddress.getLoopbackAddress(), 1));
        assertThat(last)
                .hasSize(2)
                .allSatisfy(each -> assertThat(each.authenticate(client))
                        .isInstanceOfSatisfying(
                                Refused.class,
                                refused -> assertThat(refused.reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE)));
    }
}
