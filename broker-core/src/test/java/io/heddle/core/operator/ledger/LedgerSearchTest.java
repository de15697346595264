package io.heddle.core.operator.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.operator.query.TwoNodesFixture;
import io.heddle.core.sys.ledger.LedgerReport;
import io.heddle.core.sys.ledger.LedgerWatch;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** Two nodes, of which the first one is asked. */
final class LedgerSearchTest extends TwoNodesFixture {
    private final LedgerSearch search = search(a, watch(3));

    LedgerSearchTest() {
        var _ = search(b, watch(4));
    }

    /** A node without connections that asks, and checks once. */
    private static LedgerWatch watch(int unconfirmed) {
        SimpleMeterRegistry metrics = new SimpleMeterRegistry();
        Ledger ledger = new Ledger(metrics);
        ledger.add(Flow.UNCONFIRMED, unconfirmed);
        LedgerWatch watch = new LedgerWatch(ledger, () -> 0, metrics);
        watch.check();
        watch.check();
        return watch;
    }

    private LedgerSearch search(Incarnation self, LedgerWatch own) {
        LedgerSearch created = new LedgerSearch(questions(self));
        created.answer(own);
        return created;
    }

    @Test
    void theAccountsOfAllNodesAreAddedUp() throws Exception {
        ClusterLedger found = ask(search::find);

        assertThat(found.missingNodes()).isEmpty();
        assertThat(found.nodes())
                .hasEntrySatisfying("b", report -> assertThat(report.flows()).containsEntry(Flow.UNCONFIRMED, 4L));
        assertThat(found.cluster().flows()).containsEntry(Flow.UNCONFIRMED, 7L);
    }

    @Test
    void theFlowsAndDifferencesOfTheClusterAreSums() {
        LedgerReport report =
                new LedgerReport(60, Map.of(Flow.ROUTED, 1L << 40, Flow.STORED, 2L), Map.of(Account.LINKS, -3L));

        ClusterLedger cluster = new ClusterLedger(new TreeMap<>(Map.of("a", report, "b", report)), List.of("c"));
        assertThat(cluster.cluster())
                .isEqualTo(new LedgerReport(
                        60, Map.of(Flow.ROUTED, 1L << 41, Flow.STORED, 4L), Map.of(Account.LINKS, -6L)));
    }
}
