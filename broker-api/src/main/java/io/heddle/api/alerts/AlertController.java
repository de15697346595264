package io.heddle.api.alerts;

import io.heddle.core.lifecycle.Node;
import io.heddle.core.operator.alert.Alert;
import io.heddle.core.operator.alert.Alert.Severity;
import io.heddle.core.operator.alert.ClusterAlerts;
import java.time.Instant;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.List;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Lists the alerts that fire at all nodes. */
@RestController
public final class AlertController {
    private final Node node;
    private final InstantSource clock = InstantSource.system();

    public AlertController(Node node) {
        this.node = node;
    }

    /** @param items critical ones first, then the latest first */
    record AlertsResponse(List<AlertResponse> items, List<String> missingNodes) {}

    /**
     * An alert that fires.
     *
     * @param name that of the rule for Prometheus
     * @param node the id of the node at which it fires
     * @param since when its condition has begun to hold
     * @param summary what is wrong
     * @param remedy what to do
     * @param page the address of a page of the console about it
     */
    record AlertResponse(
            String name, Severity severity, String node, Instant since, String summary, String remedy, String page) {
        static AlertResponse of(ClusterAlerts.Entry entry, Instant now) {
            Alert alert = entry.alert();
            return new AlertResponse(
                    alert.name(),
                    alert.severity(),
                    entry.node(),
                    now.minus(alert.age()).truncatedTo(ChronoUnit.SECONDS),
                    alert.summary(),
                    alert.remedy(),
                    alert.page());
        }
    }

    @GetMapping("/api/v1/alerts")
    AlertsResponse list() {
        ClusterAlerts found = node.alerts();
        Instant now = clock.instant();
        return new AlertsResponse(
                found.entries().stream()
                        .map(each -> AlertResponse.of(each, now))
                        .toList(),
                found.missingNodes());
    }
}
