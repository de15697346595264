package io.heddle.core.operator.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.tuple;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.decision.RecentDecisions;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.operator.query.AskingCluster;
import io.heddle.core.session.Connect;
import io.heddle.core.session.RulesTest;
import io.heddle.core.session.TestClient;
import io.heddle.core.session.TestNode;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/** Rules that are proposed to a node which has decided by others. */
final class DecisionRehearsalTest {
    private static final String[] IN_FORCE = {
        "default allow", "deny all secret/# for everyone", "deny subscribe # for group guests"
    };

    private final TestNode node = new TestNode(RulesTest.settings(IN_FORCE), 1_000_000);

    DecisionRehearsalTest() {
        node.authenticator = shown -> new Accepted(
                new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()),
                shown.clientId().value().startsWith("guest") ? Set.of("guests") : Set.of(),
                Map.of(),
                null);
    }

    private RehearsedDecisions rehearse(String... rules) {
        CompletableFuture<List<RehearsedDecisions>> parts = DecisionRehearsal.of(
                        node.sessions.decisions(), RulesTest.read(rules))
                .toCompletableFuture();
        node.runAll();
        assertThat(parts).isCompleted();
        return RehearsedDecisions.merge(parts.join(), 10);
    }

    private static ChangedDecision change(
            String clientId, Action action, String topic, QoS qos, boolean retain, boolean wasAllowed, long count) {
        return new ChangedDecision(clientId, null, action, topic, qos, retain, wasAllowed, count, 0, List.of());
    }

    @Test
    void theRulesInForceChangeNothing() {
        node.connect("a").publish("open/a", "1");
        node.connect("b").publish("secret/a", "2");

        RehearsedDecisions rehearsed = rehearse(IN_FORCE);

        assertThat(rehearsed.sampled()).isEqualTo(2);
        assertThat(rehearsed.distinct()).isEqualTo(2);
        assertThat(rehearsed.changes()).isEmpty();
    }

    @Test
    void decisionsThatWouldBeOthersAreNamedAndStay() {
        TestClient staff = node.connect("staff");
        node.connect("guest-1").publish("open/a", "1");
        staff.retain("open/a", "2");
        staff.publish("secret/a", "3", QoS.AT_LEAST_ONCE, 1);
        staff.publish("secret/a", "4", QoS.AT_LEAST_ONCE, 2);

        RehearsedDecisions rehearsed = rehearse("default allow", "deny publish open/# for group guests");

        assertThat(rehearsed.wouldDeny()).isEqualTo(1);
        assertThat(rehearsed.wouldAllow()).isEqualTo(2);
        assertThat(rehearsed.changes())
                .usingRecursiveFieldByFieldElementComparatorIgnoringFields("lastMillis")
                .containsExactly(
                        change("guest-1", Action.PUBLISH, "open/a", QoS.AT_MOST_ONCE, false, true, 1),
                        change("staff", Action.PUBLISH, "secret/a", QoS.AT_LEAST_ONCE, false, false, 2));
        staff.publish("secret/a", "5", QoS.AT_LEAST_ONCE, 3);
        assertThat(node.dropped("not_authorized")).isEqualTo(3);
    }

    @Test
    void aRuleForQosAndRetainChangesOnlySuchPublishes() {
        TestClient client = node.connect("a");
        client.publish("open/a", "1");
        node.advance(Duration.ofSeconds(10));
        client.retain("open/a", "2");

        RehearsedDecisions rehearsed = rehearse("default allow", "deny publish open/# retain yes for everyone");

        assertThat(rehearsed.sampled()).isEqualTo(2);
        assertThat(rehearsed.changes()).extracting(ChangedDecision::retain).containsExactly(true);
    }

    @Test
    void deniedSubscriptionsAndWillsAreRehearsed() {
        node.connect("guest-1").subscribe(QoS.AT_LEAST_ONCE, "news/#");
        node.connect(new Connect("staff").will(0).packet()).lose();

        RehearsedDecisions rehearsed =
                rehearse("default allow", "deny publish # for client staff", "deny subscribe other/# for everyone");

        assertThat(rehearsed.changes())
                .extracting(ChangedDecision::clientId, ChangedDecision::action, ChangedDecision::wasAllowed)
                .containsExactly(tuple("staff", Action.PUBLISH, true), tuple("guest-1", Action.SUBSCRIBE, false));
    }

    @Test
    void aWillIsSampledWhenTheClientConnectsAndNotAgainWhenItIsDue() {
        TestClient client = node.connect(new Connect("staff").will(0).packet());
        node.advance(Duration.ofSeconds(20));
        client.lose();

        assertThat(node.count("heddle.wills.published")).isOne();
        assertThat(rehearse(IN_FORCE).sampled()).isOne();
    }

    @Test
    void theSamplesOfAllEventLoopsAreMerged() {
        node.connect(node.loop, new Connect("a").packet()).publish("open/a", "1");
        node.loop.advance(Duration.ofSeconds(3));
        node.otherLoop.advance(Duration.ofSeconds(3));
        long now = node.clock.millis();
        node.connect(node.otherLoop, new Connect("a").packet()).publish("open/a", "2");

        RehearsedDecisions rehearsed = rehearse("default deny");

        assertThat(rehearsed.sampled()).isEqualTo(2);
        assertThat(rehearsed.distinct()).isEqualTo(2);
        assertThat(rehearsed.sinceMillis()).isEqualTo(now - 3_000);
        ChangedDecision change = rehearsed.changes().getFirst();
        assertThat(rehearsed.changes()).hasSize(1);
        assertThat(change.count()).isEqualTo(2);
        assertThat(change.lastMillis()).isEqualTo(now);
    }

    @Test
    void ofManyChangesTheMostFrequentDenialsAreNamed() {
        TestClient client = node.connect("a");
        for (int i = 0; i < 12; i++) {
            client.publish("secret/" + i, "1");
            client.publish("secret/frequent", "2");
            node.advance(Duration.ofSeconds(10));
        }
        client.publish("open/a", "3");

        RehearsedDecisions rehearsed = rehearse("default allow", "deny all open/# for everyone");

        assertThat(rehearsed.distinct()).isEqualTo(14);
        assertThat(rehearsed.wouldDeny()).isEqualTo(1);
        assertThat(rehearsed.wouldAllow()).isEqualTo(24);
        assertThat(rehearsed.changes()).hasSize(10);
        assertThat(rehearsed.changes().subList(0, 2))
                .extracting(ChangedDecision::topic)
                .containsExactly("open/a", "secret/frequent");
    }

    @Test
    void aNodeWithoutDecisionsAnswers() {
        assertThat(rehearse("default deny"))
                .isEqualTo(new RehearsedDecisions(0, 0, RehearsedDecisions.NEVER, 0, 0, List.of()));
    }

    @Test
    void theLatestDecisionsOfAllNodesAreAskedFor() throws Exception {
        AskingCluster cluster = new AskingCluster();
        Incarnation a = cluster.serve("a");
        Incarnation b = cluster.serve("b");
        cluster.serve("c");
        RuleDryRuns asking = new RuleDryRuns(cluster.of(a));
        asking.answer(node.sessions);
        new RuleDryRuns(cluster.of(b)).answer(node.sessions);
        TestClient client = node.connect("a");
        for (int i = 0; i < 100; i++) {
            client.publish("secret/" + i + "x".repeat(100), "1");
            if (i % 10 == 9) {
                node.advance(Duration.ofSeconds(10));
            }
        }

        CompletableFuture<DryRun> asked = CompletableFuture.supplyAsync(() -> asking.of("default allow"));
        DryRun run = node.whileRunning(() -> {
            while (!asked.isDone()) {
                cluster.run();
                Thread.onSpinWait();
            }
            return asked.join();
        });

        assertThat(run.nodes()).containsExactly("a", "b");
        assertThat(run.missingNodes()).containsExactly("c");
        assertThat(run.decisions().sampled())
                .as("both nodes have the same sample")
                .isEqualTo(200);
        assertThat(run.decisions().wouldAllow()).isEqualTo(200);
        assertThat(run.decisions().changes()).as("fit into a frame").hasSizeBetween(40, 99);
        assertThat(run.decisions().changes().getFirst().nodes()).containsExactly("a", "b");
        assertThat(run.decisions().changes().getFirst().count()).isEqualTo(2);
    }

    @Test
    void aNodeKeepsItsDecisionsForTenMinutes() {
        node.connect("a").publish("open/a", "1");
        node.advance(RecentDecisions.KEPT.plusMillis(1));

        assertThat(rehearse("default deny").sampled()).isZero();
    }
}
