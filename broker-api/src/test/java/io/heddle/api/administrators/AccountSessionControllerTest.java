package io.heddle.api.administrators;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.api.testkit.Browser;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.administration.AdminSession;
import java.net.http.HttpResponse;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class AccountSessionControllerTest extends ApiFixture {
    private static final String SESSIONS = "/api/v1/account/sessions";

    private final Browser first = new Browser(client);
    private final Browser second = new Browser(client);
    private final Browser other = new Browser(client);

    @BeforeEach
    void signIn() throws Exception {
        first.signIn("vera", "looking");
        second.signIn("vera", "looking");
        other.signIn("ada", "ruling");
    }

    private static JsonNode items(HttpResponse<String> answer) {
        assertThat(answer.statusCode()).isEqualTo(200);
        return JsonMapper.shared().readTree(answer.body()).path("items");
    }

    private static String current(Browser browser) throws Exception {
        return items(browser.get(SESSIONS))
                .valueStream()
                .filter(each -> each.path("current").asBoolean())
                .map(each -> each.path("id").asString())
                .findFirst()
                .orElseThrow();
    }

    private int end(Browser by, String path) throws Exception {
        return client.send(by.change(path).DELETE()).statusCode();
    }

    @Test
    void ownSessionsAreListedWithoutSecrets() throws Exception {
        HttpResponse<String> answer = first.get(SESSIONS);

        JsonNode items = items(answer);
        assertThat(items.size()).isEqualTo(2);
        assertThat(items.path(0).propertyNames())
                .containsExactly("id", "address", "createdAt", "lastUsedAt", "expiresAt", "current");
        assertThat(items.path(0).path("address").asString()).startsWith("127.0.");
        for (AdminSession each : server.sessions().list("vera")) {
            assertThat(answer.body()).doesNotContain(each.tokenHash(), each.account());
        }
        assertThat(current(first)).isNotEqualTo(current(second));
        assertThat(items(client.get(SESSIONS, "vera", "looking")).findValuesAsString("current"))
                .as("by password")
                .isEqualTo(List.of("false", "false"));
    }

    @Test
    void sessionsOfAnEarlierPasswordHaveEnded() throws Exception {
        server.administrators().put("vera", "another", AdminRole.VIEWER, server.passwordHash());

        assertThat(items(client.get(SESSIONS, "vera", "another")).size()).isZero();
    }

    @Test
    void aSessionIsEnded() throws Exception {
        assertThat(end(first, SESSIONS + "/" + current(second))).isEqualTo(204);

        problem(second.get(SESSIONS), 401);
        assertThat(items(first.get(SESSIONS)).size()).isEqualTo(1);
        assertThat(server.auditLog().entries().getLast().attempt()).satisfies(entry -> {
            assertThat(entry.administrator()).isEqualTo("vera");
            assertThat(entry.action()).isEqualTo("END_ADMINISTRATOR_SESSIONS");
            assertThat(entry.target()).startsWith("administrators/vera/sessions/");
        });
    }

    @Test
    void theSessionOfAnotherAdministratorIsNot() throws Exception {
        assertThat(end(first, SESSIONS + "/" + current(other))).isEqualTo(204);

        assertThat(other.get(SESSIONS).statusCode()).isEqualTo(200);
    }

    @Test
    void allOthersAreEnded() throws Exception {
        assertThat(end(first, SESSIONS)).isEqualTo(204);

        assertThat(items(first.get(SESSIONS)).size()).isEqualTo(1);
        problem(second.get(SESSIONS), 401);
        assertThat(other.get(SESSIONS).statusCode()).isEqualTo(200);

        assertThat(client.send(client.request(SESSIONS, "vera", "looking").DELETE())
                        .statusCode())
                .isEqualTo(204);
        problem(first.get(SESSIONS), 401);
    }

    @Test
    void aConditionIsRefused() throws Exception {
        problem(client.send(first.change(SESSIONS).header("If-Match", "\"x\"").DELETE()), 400);

        assertThat(second.get(SESSIONS).statusCode()).isEqualTo(200);
    }
}
