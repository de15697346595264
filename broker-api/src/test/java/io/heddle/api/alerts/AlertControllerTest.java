package io.heddle.api.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.operator.alert.Alert;
import io.heddle.core.operator.alert.Alert.Severity;
import io.heddle.core.operator.alert.ClusterAlerts;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AlertControllerTest {
    @Test
    void alertsSayWhereAndSinceWhenTheyFireAndWhatToDo() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.setAlerts(new ClusterAlerts(
                    List.of(new ClusterAlerts.Entry(
                            "a",
                            new Alert(
                                    "HeddleLinkDown",
                                    Severity.WARNING,
                                    Duration.ofHours(2),
                                    "The node has no link to 1 members.",
                                    "Check the network.",
                                    "/nodes"))),
                    List.of("c")));

            JsonNode page = JsonMapper.shared()
                    .readTree(client.get("/api/v1/alerts", "vera", "looking").body());

            JsonNode alert = page.path("items").path(0);
            assertThat(alert.propertyNames())
                    .containsExactly("name", "severity", "node", "since", "summary", "remedy", "page");
            assertThat(alert.path("name").asString()).isEqualTo("HeddleLinkDown");
            assertThat(alert.path("severity").asString()).isEqualTo("WARNING");
            assertThat(alert.path("node").asString()).isEqualTo("a");
            assertThat(Instant.parse(alert.path("since").asString()))
                    .isBetween(
                            Instant.now().minus(Duration.ofMinutes(121)),
                            Instant.now().minus(Duration.ofMinutes(119)));
            assertThat(page.path("missingNodes").path(0).asString()).isEqualTo("c");
        }
    }
}
