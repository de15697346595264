package io.heddle.api.refusals;

import static io.heddle.api.testkit.ApiClient.problem;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.client.RecentRefusals.Kind;
import io.heddle.core.client.RecentRefusals.Refusal;
import io.heddle.core.operator.refusal.RefusalPage;
import io.heddle.core.operator.refusal.RefusalQuery;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class RefusalControllerTest extends ApiFixture {
    private static final Instant LAST = Instant.parse("2026-11-01T10:00:00.000007Z");

    private final List<RefusalQuery> queries = new ArrayList<>();

    @BeforeEach
    void start() {
        server.setRefusals(query -> {
            queries.add(query);
            Refusal refusal = new Refusal(
                    Kind.CONNECT, "not_authorized", "detail", "pump", "ada", "10.0.0.7", LAST.minusSeconds(9), LAST, 3);
            Refusal unknown = new Refusal(Kind.LIMIT, "s", "d", "", null, "", LAST, LAST.minusSeconds(1), 1);
            return new RefusalPage(
                    List.of(new RefusalPage.Entry("a", refusal), new RefusalPage.Entry("b", unknown)), List.of("c"));
        });
    }

    private JsonNode list(String query) throws Exception {
        return read("/api/v1/refusals" + query);
    }

    @Test
    void aPageShowsTheLatestRefusalsOfAllNodes() throws Exception {
        JsonNode page = list("");

        assertThat(page.path("items").get(0)).isEqualTo(JSON.readTree("""
                {"kind": "CONNECT", "reason": "not_authorized", "detail": "detail", "clientId": "pump", "userName": "ada",
                 "address": "10.0.0.7", "node": "a", "count": 3, "first": "2026-11-01T09:59:51.000007Z",
                 "last": "2026-11-01T10:00:00.000007Z"}"""));
        assertThat(page.path("items").get(1).path("clientId").isNull()).isTrue();
        assertThat(page.path("items").get(1).path("address").isNull()).isTrue();
        assertThat(page.path("missingNodes").get(0).asString()).isEqualTo("c");
        assertThat(page.path("next").isNull()).isTrue();
    }

    @Test
    void aPageGoesOnBeforeItsLastEntry() throws Exception {
        JsonNode first = list("?kind=connect&clientId=pump-7&clientIdPrefix=pu&limit=1");
        list("?kind=connect&clientId=pump-7&clientIdPrefix=pu&limit=1&after="
                + first.path("next").asString());

        assertThat(first.path("items").size()).isEqualTo(1);
        assertThat(queries)
                .containsExactly(
                        new RefusalQuery(Kind.CONNECT, "pump-7", "pu", null, 2),
                        new RefusalQuery(Kind.CONNECT, "pump-7", "pu", LAST, 2));
    }

    @Test
    void wrongParametersAreRefused() throws Exception {
        for (String query : List.of("?kind=other", "?limit=251", "?after=x", "?sort=last", "?user=a")) {
            problem(get("/api/v1/refusals" + query), 400);
        }
        assertThat(queries).isEmpty();
    }
}
