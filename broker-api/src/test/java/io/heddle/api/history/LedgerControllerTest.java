package io.heddle.api.history;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.operator.ledger.ClusterLedger;
import io.heddle.core.sys.ledger.LedgerReport;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

final class LedgerControllerTest extends ApiFixture {
    @Test
    void flowsAndDifferencesAreShownForTheClusterAndForEachNode() throws Exception {
        LedgerReport one = new LedgerReport(
                60, Map.of(Flow.DELIVERED, 5L, Flow.ROUTED, 6L, Flow.STORED, 2L), Map.of(Account.CONNECTIONS, 1L));
        server.setLedger(new ClusterLedger(
                new TreeMap<>(Map.of("heddle-1", one, "heddle-2", LedgerReport.NONE)), List.of("heddle-3")));

        String answer = get("/api/v1/ledger").body();

        String accounts = """
                "seconds": 60, "flows": [
                  {"account": "connections", "side": "in", "flow": "routed", "copies": 6},
                  {"account": "connections", "side": "out", "flow": "delivered", "copies": 5},
                  {"account": "logs", "side": "out", "flow": "stored", "copies": 2}],
                "differences": [{"account": "connections", "copies": 1}]
                """;
        assertThat(JSON.readTree(answer))
                .isEqualTo(JSON.readTree("{\"cluster\": {" + accounts
                        + "}, \"nodes\": [{\"node\": \"heddle-1\", " + accounts
                        + "}, {\"node\": \"heddle-2\", \"seconds\": 0, \"flows\": [], \"differences\": []}],"
                        + " \"missingNodes\": [\"heddle-3\"]}"));
    }

    @Test
    void thePageSaysWhatTheSignOfADifferenceMeans() throws Exception {
        server.setLedger(new ClusterLedger(
                new TreeMap<>(Map.of(
                        "heddle-1",
                        new LedgerReport(60, Map.of(), Map.of(Account.LOGS, 1_200L)),
                        "heddle-2",
                        new LedgerReport(60, Map.of(), Map.of(Account.LOGS, -3L)))),
                List.of()));

        assertThat(get("/ledger").body())
                .contains("heddle-1 has lost track of 1,200 copies<", "heddle-2 counts 3 copies too many<");
    }
}
