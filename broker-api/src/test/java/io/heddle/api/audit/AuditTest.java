package io.heddle.api.audit;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditOutcome;
import jakarta.servlet.http.HttpServletRequest;
import java.lang.reflect.Proxy;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class AuditTest extends ApiFixture {
    private HttpResponse<String> post(String path, String userName, String password) throws Exception {
        return client.send(client.request(path, userName, password)
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.noBody()));
    }

    private JsonNode list(String query) throws Exception {
        return read("/api/v1/audit" + query);
    }

    @Test
    void aChangeIsRecordedWithAdministratorAddressAndResult() throws Exception {
        post("/api/v1/cluster/rebalance", "ada", "ruling");

        assertThat(server.auditLog().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.attempt().administrator()).isEqualTo("ada");
            assertThat(entry.attempt().address()).startsWith("127.0.");
            assertThat(entry.attempt().action()).isEqualTo("REBALANCE");
            assertThat(entry.attempt().target()).isEqualTo("cluster");
            assertThat(entry.result().outcome()).isEqualTo(AuditOutcome.DONE);
            assertThat(JSON.readTree(entry.result().after())).isEqualTo(JSON.readTree("""
                    {"nodes": [{"nodeId": "a", "connections": 250, "surplus": 90}], "unknown": ["b"]}"""));
        });
    }

    @Test
    void aChangeThatFailsIsRecordedWithItsSentence() throws Exception {
        server.failReloads("heddle.mqtt.tls.key is /a, which does not exist: create it");

        post("/api/v1/node/certificates/reload", "ada", "ruling");

        assertThat(server.auditLog().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.attempt().target()).isEqualTo("nodes/a");
            assertThat(entry.result().outcome()).isEqualTo(AuditOutcome.FAILED);
            assertThat(entry.result().detail()).isEqualTo("heddle.mqtt.tls.key is /a, which does not exist: create it");
        });
    }

    @Test
    void aChangeWithoutAnAnswerHasAnUnknownOutcome() throws Exception {
        JsonNode problem = problem(post("/api/v1/nodes/drain?nodeId=frozen", "ada", "ruling"), 503);

        assertThat(problem.path("detail").asString()).startsWith("frozen has not answered");
        assertThat(server.auditLog().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.result().outcome()).isEqualTo(AuditOutcome.UNKNOWN);
            assertThat(entry.result().detail()).startsWith("frozen has not answered");
        });
    }

    @Test
    void aChangeThatAStoreDoesNotAnswerHasAnUnknownOutcome() {
        HttpServletRequest request = (HttpServletRequest) Proxy.newProxyInstance(
                getClass().getClassLoader(),
                new Class<?>[] {HttpServletRequest.class},
                (_, method, _) -> method.getName().equals("getRemoteAddr") ? "10.0.0.9" : null);
        Audit audit = new Audit(server.auditLog(), JSON);

        assertThatThrownBy(() -> audit.change(request, AuditAction.PUBLISH, "publish", null, () -> {
                    throw StoreUnavailableException.kafka("no answer in time", null);
                }))
                .isInstanceOf(StoreUnavailableException.class);

        assertThat(server.auditLog().entries()).singleElement().satisfies(entry -> {
            assertThat(entry.result().outcome()).isEqualTo(AuditOutcome.UNKNOWN);
            assertThat(entry.result().detail()).isEqualTo("Kafka has not answered in time.");
        });
    }

    @Test
    void aChangeThatCannotBeRecordedIsNotMade() throws Exception {
        server.auditLog().setDown(true);

        assertThat(problem(post("/api/v1/node/drain", "ada", "ruling"), 503)
                        .path("detail")
                        .asString())
                .startsWith("PostgreSQL has not answered");

        assertThat(server.drains()).isZero();
    }

    @Test
    void aRequestWithoutPermissionIsNoChange() throws Exception {
        assertThat(post("/api/v1/node/drain", "vera", "looking").statusCode()).isEqualTo(403);

        assertThat(server.auditLog().entries()).isEmpty();
    }

    @Test
    void theEntriesAreListedNewestFirstInParts() throws Exception {
        for (int i = 0; i < 5; i++) {
            post("/api/v1/cluster/rebalance", "ada", "ruling");
        }

        List<Long> ids = new ArrayList<>();
        String after = "";
        while (after != null) {
            JsonNode page = list("?limit=2&after=" + after);
            page.path("items").forEach(item -> ids.add(item.path("id").asLong()));
            assertThat(page.propertyNames()).containsExactly("items", "next");
            after = page.path("next").isNull() ? null : page.path("next").asString();
        }

        assertThat(ids)
                .containsExactlyElementsOf(server.auditLog().entries().stream()
                        .map(AuditEntry::id)
                        .toList()
                        .reversed());
        assertThat(list("?limit=1&sort=time").path("items").path(0).path("id").asLong())
                .isEqualTo(ids.getLast());
        assertThat(JSON.readTree(list("?limit=1").path("items").path(0).toString())
                        .propertyNames())
                .containsExactly(
                        "id",
                        "time",
                        "administrator",
                        "address",
                        "action",
                        "target",
                        "before",
                        "after",
                        "outcome",
                        "detail");
    }

    @Test
    void filtersSelectEntries() throws Exception {
        post("/api/v1/cluster/rebalance", "ada", "ruling");
        post("/api/v1/node/drain", "ada", "ruling");

        assertThat(list("?target=nodes/a").path("items").size()).isEqualTo(1);
        assertThat(list("?administrator=vera").path("items").size()).isZero();
        assertThat(list("?action=DRAIN").path("items").findValuesAsString("action"))
                .containsExactly("DRAIN");
        assertThat(list("?action=publish").path("items").size()).isZero();
        assertThat(list("?outcome=DONE").path("items").size()).isEqualTo(2);
        assertThat(list("?outcome=failed").path("items").size()).isZero();
        assertThat(list("?administrator=ada&action=DRAIN&target=nodes/a&outcome=DONE")
                        .path("items")
                        .size())
                .isEqualTo(1);
        assertThat(list("?from=2026-11-01T10:00:02Z").path("items").size()).isEqualTo(1);
        assertThat(list("?until=2026-11-01T10:00:02Z").path("items").size()).isEqualTo(1);
    }

    @Test
    void aCursorOfAnotherFilterOrOrderIsRefused() throws Exception {
        post("/api/v1/cluster/rebalance", "ada", "ruling");
        post("/api/v1/cluster/rebalance", "ada", "ruling");
        String filter = "/api/v1/audit?action=REBALANCE&limit=1&after=";
        String cursor = list("?action=REBALANCE&limit=1").path("next").asString();

        assertThat(get(filter + cursor).statusCode()).isEqualTo(200);
        JsonNode problem = problem(get("/api/v1/audit?action=DRAIN&limit=1&after=" + cursor), 400);
        assertThat(problem.path("errors").path(0).path("field").asString()).isEqualTo("after");
        assertThat(problem.path("errors").path(0).path("message").asString()).contains("same sort and filters");
        problem(get(filter + cursor + "&sort=time"), 400);
    }

    @Test
    void wrongParametersAreNamed() throws Exception {
        JsonNode problem = problem(get("/api/v1/audit?limit=0&page=2&sort=name"), 400);

        assertThat(problem.path("errors").findValuesAsString("field"))
                .containsExactlyInAnyOrder("limit", "page", "sort");
        problem(get("/api/v1/audit?after=nonsense"), 400);
        problem(get("/api/v1/audit?action=DELETE"), 400);
        problem(get("/api/v1/audit?outcome=OK"), 400);
        problem(get("/api/v1/audit?from=yesterday"), 400);
        problem(get("/api/v1/audit?administrator=a%00"), 400);
    }
}
