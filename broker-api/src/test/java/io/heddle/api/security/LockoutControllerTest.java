package io.heddle.api.security;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import java.net.http.HttpResponse;
import java.time.Instant;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class LockoutControllerTest extends ApiFixture {
    private static final int FAILURES = 10;

    private JsonNode lockouts() throws Exception {
        return read("/api/v1/lockouts").path("items");
    }

    private HttpResponse<String> lift(String query, String userName, String password) throws Exception {
        return client.send(
                client.request("/api/v1/lockouts" + query, userName, password).DELETE());
    }

    @Test
    void anAdministratorLiftsTheLockoutOfAnother() throws Exception {
        assertThat(lockouts().isEmpty()).isTrue();
        for (int i = 0; i < FAILURES; i++) {
            ApiClient.problem(client.get("/api/v1/account", "olga", "wrong"), 401);
        }
        assertThat(client.get("/api/v1/account", "olga", "running").statusCode())
                .isEqualTo(429);

        JsonNode lockout = lockouts().path(0);
        assertThat(lockout.path("userName").asString()).isEqualTo("olga");
        assertThat(lockout.path("address").asString()).startsWith("127.0.");
        assertThat(lockout.path("failures").asInt()).isEqualTo(FAILURES);
        assertThat(Instant.parse(lockout.path("until").asString())).isAfter(Instant.now());

        assertThat(lift("?userName=other", "ada", "ruling").statusCode()).isEqualTo(204);
        assertThat(lockouts().size()).isOne();
        String address = lockout.path("address").asString();
        assertThat(lift("?userName=olga&address=" + address, "ada", "ruling").statusCode())
                .isEqualTo(204);

        assertThat(lockouts().isEmpty()).isTrue();
        assertThat(client.get("/api/v1/account", "olga", "running").statusCode())
                .isEqualTo(200);
        assertThat(get("/api/v1/audit?action=LIFT_LOCKOUTS").body())
                .contains("lockouts?userName=olga&address=" + address);
    }

    @Test
    void onlyAnAdministratorWithThisRoleLifts() throws Exception {
        ApiClient.problem(lift("?userName=ada", "olga", "running"), 403);
        ApiClient.problem(lift("?userName=ada", "vera", "looking"), 403);
        JsonNode problem = ApiClient.problem(lift("", "ada", "ruling"), 400);
        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo("userName");
    }
}
