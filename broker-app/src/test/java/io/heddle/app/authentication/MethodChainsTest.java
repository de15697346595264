package io.heddle.app.authentication;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.Authentication.Chain;
import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class MethodChainsTest {
    private final ActiveRules active = new ActiveRules(RuleSet.NONE);
    private final List<List<MethodName>> created = new ArrayList<>();
    private final MethodChains chains = new MethodChains(
            active,
            listener -> listener.equals("mqtts") ? List.of(MethodName.CERTIFICATE) : List.of(MethodName.PASSWORD),
            Map.of("password", MethodName.PASSWORD, "certificate", MethodName.CERTIFICATE, "http", MethodName.HTTP),
            methods -> {
                created.add(methods);
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
                        List.of(MethodName.PASSWORD), List.of(MethodName.CERTIFICATE), List.of(MethodName.CERTIFICATE));
    }

    @Test
    void theRulesInForceDecideAboutTheNextClient() throws RuleSyntaxException {
        rules(1, "authenticate http,password", "authenticate password on mqtts");
        chains.apply("mqtt");
        chains.apply("mqtts");
        rules(2, "authenticate password");
        chains.apply("mqtts");

        assertThat(created)
                .containsExactly(
                        List.of(MethodName.HTTP, MethodName.PASSWORD),
                        List.of(MethodName.PASSWORD),
                        List.of(MethodName.PASSWORD));
    }

    @Test
    void aMethodThatOnlyTheRulesNameIsLeftOut() throws RuleSyntaxException {
        rules(1, "authenticate scram,http");
        chains.apply("mqtt");
        rules(2, "authenticate scram");
        chains.apply("mqtt");

        assertThat(created).containsExactly(List.of(MethodName.HTTP), List.of());
    }
}
