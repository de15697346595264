package io.heddle.core.operator.refusal;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.operator.query.AskingCluster;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

final class RefusalSearchTest {
    private static final RefusalQuery ALL = new RefusalQuery(null, null, "", null, 100);

    private final AskingCluster cluster = new AskingCluster();
    private final Incarnation a = cluster.serve("a");
    private final Incarnation b = cluster.serve("b");
    private final ClientIncidents ofA = incidents(a);
    private final ClientIncidents ofB = incidents(b);

    private ClientIncidents incidents(Incarnation node) {
        ClientIncidents incidents = new ClientIncidents(() -> 0, new SimpleMeterRegistry());
        new RefusalSearch(cluster.of(node)).answer(incidents.recent());
        return incidents;
    }

    private RefusalPage find(RefusalQuery query) {
        CompletableFuture<RefusalPage> page =
                CompletableFuture.supplyAsync(() -> new RefusalSearch(cluster.of(a)).find(query));
        while (!page.isDone()) {
            cluster.run();
            Thread.onSpinWait();
        }
        return page.join();
    }

    @Test
    void theRefusalsOfAllNodesAreMergedTheLatestFirst() {
        ofA.subscriptionDenied("x/#", new ClientId("pump-1"));
        ofB.refused(new Limit("heddle.some.limit", 5), "a connection", "", null, null);
        ofB.publishDenied("y", "denied", new ClientId("valve-1"));

        RefusalPage page = find(ALL);

        assertThat(page.missingNodes()).isEmpty();
        assertThat(page.entries()).hasSize(3);
        assertThat(page.entries()).extracting(RefusalPage.Entry::node).containsExactlyInAnyOrder("a", "b", "b");
        List<Instant> times =
                page.entries().stream().map(each -> each.refusal().last()).toList();
        assertThat(times).isSortedAccordingTo((left, right) -> right.compareTo(left));
        assertThat(page.entries())
                .extracting(each -> each.refusal().kind())
                .containsExactlyInAnyOrder(Kind.SUBSCRIBE, Kind.LIMIT, Kind.PUBLISH);
    }

    @Test
    void aPageIsRestrictedByKindClientAndTime() {
        ofA.subscriptionDenied("x/#", new ClientId("pump-1"));
        ofB.publishDenied("y", "denied", new ClientId("pump-2"));
        ofB.publishDenied("y", "denied", new ClientId("valve-1"));

        assertThat(clients(new RefusalQuery(Kind.PUBLISH, null, "", null, 100)))
                .containsExactlyInAnyOrder("pump-2", "valve-1");
        assertThat(clients(new RefusalQuery(null, "pump-1", "", null, 100))).containsExactly("pump-1");
        assertThat(clients(new RefusalQuery(null, "pump", "", null, 100))).isEmpty();
        assertThat(clients(new RefusalQuery(null, null, "pump-", null, 100)))
                .containsExactlyInAnyOrder("pump-1", "pump-2");
        assertThat(clients(new RefusalQuery(null, null, "", null, 1))).hasSize(1);
        Instant oldest = find(ALL).entries().getLast().refusal().last();
        assertThat(clients(new RefusalQuery(null, null, "", oldest, 100))).isEmpty();
    }

    private List<String> clients(RefusalQuery query) {
        return find(query).entries().stream()
                .map(each -> each.refusal().clientId())
                .toList();
    }

    @Test
    void aNodeThatDoesNotAnswerIsMissing() {
        var _ = cluster.serve("c");
        ofB.subscriptionDenied("x/#", new ClientId("pump-1"));

        RefusalPage page = find(ALL);

        assertThat(page.missingNodes()).containsExactly("c");
        assertThat(page.entries()).hasSize(1);
    }
}
