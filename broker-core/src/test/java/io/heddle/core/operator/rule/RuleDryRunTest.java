package io.heddle.core.operator.rule;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.rule.RuleDryRun.Loss;
import io.heddle.core.operator.rule.RuleDryRun.Result;
import io.heddle.core.session.Connect;
import io.heddle.core.session.RulesTest;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rules that are proposed while others are in force. */
final class RuleDryRunTest {
    private final TestNode node = new TestNode(RulesTest.settings("default allow"), 1_000_000);

    RuleDryRunTest() {
        node.authenticator = shown -> new Accepted(
                new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()),
                shown.clientId().value().startsWith("guest") ? Set.of("guests") : Set.of(),
                Map.of(),
                null);
    }

    private Result dryRun(int maximumLosses, String... rules) {
        CompletableFuture<Result> result = RuleDryRun.of(node.sessions, RulesTest.read(rules), maximumLosses)
                .toCompletableFuture();
        node.runAll();
        assertThat(result).isCompleted();
        return result.join();
    }

    @Test
    void theSubscriptionsThatWouldBeDeniedAreNamedAndStay() {
        TestClient guest =
                node.connect("guest-1").subscribe(QoS.AT_LEAST_ONCE, "secret/a", "open/a", "$share/g/secret/#");
        TestClient staff =
                node.connect(new Connect("staff").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "secret/a");

        Result result = dryRun(10, "default allow", "deny all secret/# for group guests");

        assertThat(result.clients()).isEqualTo(2);
        assertThat(result.subscriptions()).isEqualTo(4);
        assertThat(result.losingClients()).isEqualTo(1);
        assertThat(result.lostSubscriptions()).isEqualTo(2);
        assertThat(result.losses())
                .containsExactlyInAnyOrder(
                        new Loss("guest-1", null, "secret/a"), new Loss("guest-1", null, "$share/g/secret/#"));
        staff.publish("secret/a", "still allowed");
        assertThat(guest.payloads()).contains("still allowed");
        assertThat(guest.disconnected()).isEmpty();
        assertThat(node.count("heddle.subscriptions.revoked")).isZero();
    }

    @Test
    void allAreCountedButOnlySomeAreNamed() {
        for (int i = 0; i < 3; i++) {
            node.connect("guest-" + i).subscribe(QoS.AT_MOST_ONCE, "secret/a", "secret/b");
        }

        Result result = dryRun(2, "default deny");

        assertThat(result.losingClients()).isEqualTo(3);
        assertThat(result.lostSubscriptions()).isEqualTo(6);
        assertThat(result.losses()).hasSize(2);
    }

    @Test
    void clientsThatAreAwayAreNotChecked() {
        node.connect(new Connect("guest-1").persistent(60).packet())
                .subscribe(QoS.AT_LEAST_ONCE, "secret/a")
                .lose();

        assertThat(dryRun(3, "default deny")).isEqualTo(Result.NONE);
    }

    @Test
    void aNodeWithoutClientsAnswers() {
        assertThat(dryRun(3, "default deny")).isEqualTo(Result.NONE);
    }
}
