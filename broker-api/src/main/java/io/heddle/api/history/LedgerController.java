package io.heddle.api.history;

import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.ledger.ClusterLedger;
import io.heddle.core.sys.ledger.LedgerReport;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Stream;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Shows where copies of messages come from and what becomes of them. */
@RestController
public final class LedgerController {
    private final Node node;

    public LedgerController(Node node) {
        this.node = node;
    }

    @GetMapping("/api/v1/ledger")
    LedgerResponse ledger() {
        ClusterLedger found = node.ledger();
        return new LedgerResponse(
                AccountsResponse.of(found.cluster()),
                found.nodes().entrySet().stream()
                        .map(each -> NodeAccountsResponse.of(each.getKey(), each.getValue()))
                        .toList(),
                found.missingNodes());
    }

    /** The accounts of all nodes together and of each. */
    record LedgerResponse(AccountsResponse cluster, List<NodeAccountsResponse> nodes, List<String> missingNodes) {}

    /** Copies in the last seconds. */
    record AccountsResponse(long seconds, List<FlowResponse> flows, List<DifferenceResponse> differences) {
        static AccountsResponse of(LedgerReport report) {
            return new AccountsResponse(
                    report.seconds(), FlowResponse.list(report.flows()), DifferenceResponse.list(report.differences()));
        }
    }

    /** Copies in the last seconds at a node. */
    record NodeAccountsResponse(
            String node, long seconds, List<FlowResponse> flows, List<DifferenceResponse> differences) {
        static NodeAccountsResponse of(String name, LedgerReport report) {
            AccountsResponse accounts = AccountsResponse.of(report);
            return new NodeAccountsResponse(name, accounts.seconds(), accounts.flows(), accounts.differences());
        }
    }

    /** Copies that have entered or left an account, or are held. */
    record FlowResponse(String account, String side, String flow, long copies) {
        static List<FlowResponse> list(Map<Flow, Long> flows) {
            return Stream.of(Flow.values())
                    .filter(flows::containsKey)
                    .map(flow -> new FlowResponse(
                            flow.account().key(),
                            flow.side().name().toLowerCase(Locale.ROOT),
                            flow.key(),
                            flows.getOrDefault(flow, 0L)))
                    .toList();
        }
    }

    /** Copies that are not accounted for. */
    record DifferenceResponse(String account, long copies) {
        static List<DifferenceResponse> list(Map<Account, Long> differences) {
            return Stream.of(Account.values())
                    .filter(differences::containsKey)
                    .map(account -> new DifferenceResponse(account.key(), differences.getOrDefault(account, 0L)))
                    .toList();
        }
    }
}
