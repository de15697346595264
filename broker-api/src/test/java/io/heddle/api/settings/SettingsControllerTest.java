package io.heddle.api.settings;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class SettingsControllerTest {
    @Test
    void theSettingsAreListedWithTheirOrigins() throws Exception {
        JsonMapper json = JsonMapper.shared();
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());

            JsonNode first = json.readTree(
                    client.get("/api/v1/settings?limit=2", "vera", "looking").body());
            assertThat(first.path("items")).isEqualTo(json.readTree("""
                    [{"key": "heddle.http.port", "value": "8080", "origin": ""},
                     {"key": "heddle.mqtt.port", "value": "1884", "origin": "HEDDLE_MQTT_PORT in the environment"}]"""));
            JsonNode rest = json.readTree(
                    client.get("/api/v1/settings?after=" + first.path("next").asString(), "vera", "looking")
                            .body());
            assertThat(rest.path("items").findValuesAsString("key")).containsExactly("heddle.postgres.password");
            assertThat(json.readTree(client.get("/api/v1/settings?keyPrefix=heddle.m", "vera", "looking")
                                    .body())
                            .path("items")
                            .size())
                    .isEqualTo(1);
            assertThat(json.readTree(client.get("/api/v1/settings?sort=-key&limit=2", "vera", "looking")
                                    .body())
                            .path("items")
                            .findValuesAsString("key"))
                    .containsExactly("heddle.postgres.password", "heddle.mqtt.port");
            problem(client.get("/api/v1/settings"), 401);
        }
    }
}
