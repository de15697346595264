package io.heddle.core.operator.rule;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.authorization.ActiveRules;
import io.heddle.core.authorization.Effect;
import io.heddle.core.authorization.ListenerMethods;
import io.heddle.core.authorization.RuleSet;
import io.heddle.core.authorization.RuleSyntaxException;
import io.heddle.core.authorization.StoredRules;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord.RulesChanged;
import io.heddle.core.operator.query.AskingCluster;
import io.heddle.core.testkit.InMemoryRuleStore;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Nodes that share a store and a log, whose records reach them at once unless a test holds them back. */
final class RuleAdministrationTest {
    private static final String DENY = "default deny\n";
    private static final String ALLOW = "default allow\n";

    private final AskingCluster cluster = new AskingCluster();
    private final InMemoryRuleStore store = new InMemoryRuleStore();
    private final List<RulesChanged> log = new ArrayList<>();
    private final Deque<Runnable> again = new ArrayDeque<>();
    private final Map<Incarnation, OfNode> nodes = new HashMap<>();
    private final Incarnation a = serve("a");
    private final Incarnation b = serve("b");
    private boolean refusesRecords;

    private final class OfNode {
        final ActiveRules active = new ActiveRules(RuleSet.NONE);
        final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        final RuleReplica replica = new RuleReplica(active, store, Runnable::run, again::add, metrics);
        final RuleAdministration administration;

        OfNode(Incarnation self) {
            administration = new RuleAdministration(
                    active,
                    store,
                    replica,
                    (version, text) -> append(self, version, text),
                    cluster.of(self),
                    new ListenerMethods(Set.of("password", "jwt"), Set.of("mqtt", "mqtts")));
            administration.answer();
        }
    }

    private Incarnation serve(String id) {
        Incarnation joined = cluster.serve(id);
        nodes.put(joined, new OfNode(joined));
        return joined;
    }

    private OfNode node(Incarnation incarnation) {
        return Objects.requireNonNull(nodes.get(incarnation));
    }

    private CompletionStage<?> append(Incarnation writer, long version, String text) {
        if (refusesRecords) {
            return CompletableFuture.failedStage(new IllegalStateException("refused"));
        }
        RulesChanged record = new RulesChanged(writer, version, text);
        log.add(record);
        nodes.values().forEach(each -> each.replica.onRecord(record));
        return CompletableFuture.completedStage(null);
    }

    private @Nullable ChangedRules replace(Incarnation at, long present, String text) {
        CompletableFuture<@Nullable ChangedRules> result = CompletableFuture.supplyAsync(() -> {
            try {
                return node(at).administration.replace(present, text, "alice");
            } catch (RuleSyntaxException wrong) {
                throw new IllegalArgumentException(wrong);
            }
        });
        while (!result.isDone()) {
            cluster.run();
            Thread.onSpinWait();
        }
        return result.join();
    }

    @Test
    void allNodesApplyTheNewRules() {
        ChangedRules changed = Objects.requireNonNull(replace(a, 0, DENY));

        assertThat(changed.applied()).containsExactly("a", "b");
        assertThat(changed.missing()).isEmpty();
        assertThat(changed.rules().version()).isEqualTo(1);
        for (OfNode each : nodes.values()) {
            assertThat(each.active.current().options().defaultEffect()).isEqualTo(Effect.DENY);
            assertThat(each.metrics.get("heddle.rules.version").gauge().value()).isEqualTo(1);
        }
    }

    @Test
    void aNodeThatCannotBeAskedIsNamedAndAppliesTheRulesAllTheSame() {
        cluster.links.cut(a, b);

        ChangedRules changed = Objects.requireNonNull(replace(a, 0, DENY));

        assertThat(changed.applied()).containsExactly("a");
        assertThat(changed.missing()).containsExactly(Map.entry("b", "unreachable"));
        assertThat(node(b).active.version()).isEqualTo(1);
    }

    @Test
    void ofTwoChangesOfOneVersionOnlyOneIsMade() {
        replace(a, 0, DENY);

        assertThat(replace(b, 0, ALLOW)).isNull();
        assertThat(replace(b, 1, ALLOW)).isNotNull();
        assertThat(log).extracting(RulesChanged::version).containsExactly(1L, 2L);
    }

    @Test
    void wrongRulesChangeNothing() {
        assertThatThrownBy(() -> node(a).administration.replace(0, "default allow\nallow everything", "alice"))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessageStartingWith("line 2, column 7: ");
        assertThat(store.find()).isNull();
        assertThat(log).isEmpty();
    }

    @Test
    void rulesWithAMethodOrListenerThatTheNodeDoesNotHaveChangeNothing() {
        RuleAdministration administration = node(a).administration;

        assertThatThrownBy(() -> administration.replace(0, "default allow\nauthenticate jwt,http", "alice"))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessage("line 2, column 14: this node does not have the method 'http': use jwt, password, or add it"
                        + " to heddle.authentication.methods");
        assertThatThrownBy(() -> administration.replace(0, "default allow\nauthenticate jwt on mqtss", "alice"))
                .isInstanceOf(RuleSyntaxException.class)
                .hasMessage("line 2, column 21: this node has no listener with the name 'mqtss': use mqtt, mqtts");
        assertThatThrownBy(() -> administration.dryRun("default allow\nauthenticate http"))
                .isInstanceOf(RuleSyntaxException.class);
        assertThat(store.find()).isNull();
        assertThat(replace(a, 0, "default allow\nauthenticate jwt on mqtts")).isNotNull();
    }

    @Test
    void rulesThatCouldNotBeAnnouncedAreAnnouncedByTheNextStart() throws RuleSyntaxException {
        refusesRecords = true;
        ChangedRules changed = Objects.requireNonNull(replace(a, 0, DENY));
        assertThat(changed.applied()).isEmpty();
        assertThat(changed.missing()).isEqualTo(Map.of("a", "not_announced", "b", "not_announced"));
        assertThat(node(b).active.version()).isZero();

        refusesRecords = false;
        OfNode started = new OfNode(cluster.serve("c"));
        assertThat(started.replica.start((version, text) -> append(a, version, text)))
                .isTrue();

        assertThat(started.active.version()).isEqualTo(1);
        assertThat(node(b).active.version()).isEqualTo(1);
    }

    @Test
    void anAnnouncementIsRepeatedUntilItOrALaterOneIsAccepted() {
        refusesRecords = true;
        replace(a, 0, DENY);
        again.remove().run();
        assertThat(log).isEmpty();

        refusesRecords = false;
        again.remove().run();
        assertThat(node(b).active.version()).isEqualTo(1);
        assertThat(again).isEmpty();

        refusesRecords = true;
        replace(a, 1, DENY);
        refusesRecords = false;
        replace(b, 2, ALLOW);
        again.remove().run();
        assertThat(log).extracting(RulesChanged::version).containsExactly(1L, 3L);
    }

    @Test
    void rulesThatTheLogHasAreNotAnnouncedAgain() throws RuleSyntaxException {
        replace(a, 0, DENY);
        OfNode started = new OfNode(cluster.serve("c"));
        log.forEach(started.replica::onRecord);

        started.replica.start((version, text) -> append(a, version, text));

        assertThat(log).hasSize(1);
        assertThat(started.active.version()).isEqualTo(1);
    }

    @Test
    void aVersionIsAboveThatOfTheNodesAlthoughTheStoreHasLostIt() throws RuleSyntaxException {
        node(a).active.apply(7, RuleSet.read(ALLOW));

        assertThat(Objects.requireNonNull(replace(a, 0, DENY)).rules())
                .extracting(StoredRules::version)
                .isEqualTo(8L);
    }

    @Test
    void ofManyRecordsOnlyTheLatestIsRead() {
        ActiveRules active = new ActiveRules(RuleSet.NONE);
        List<Runnable> tasks = new ArrayList<>();
        RuleReplica replica = new RuleReplica(active, store, tasks::add, again::add, new SimpleMeterRegistry());
        List<Long> applied = new ArrayList<>();
        active.onChange(() -> {
            applied.add(active.version());
            return CompletableFuture.completedStage(null);
        });

        for (long version : new long[] {1, 2, 4, 3}) {
            replica.onRecord(new RulesChanged(a, version, DENY));
        }
        tasks.forEach(Runnable::run);

        assertThat(applied).containsExactly(4L);
    }

    @Test
    void aNodeDoesNotStartWithStoredRulesThatItCannotRead() {
        store.replace(0, 1, "default perhaps", "bob");

        assertThatThrownBy(() -> node(a).replica.start((version, text) -> append(a, version, text)))
                .isInstanceOf(RuleSyntaxException.class);
    }
}
