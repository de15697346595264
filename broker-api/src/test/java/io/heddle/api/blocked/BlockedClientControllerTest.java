package io.heddle.api.blocked;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.groups.Tuple.tuple;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.authentication.blocked.BlockedClient;
import io.heddle.core.authentication.blocked.BlockedClient.Kind;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.testkit.BlockedClientStoreContract;
import java.net.http.HttpResponse;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

final class BlockedClientControllerTest extends ApiFixture {
    private static final String PATH = "/api/v1/blocked-clients";

    private HttpResponse<String> post(String body) throws Exception {
        return sendAsOperator("POST", PATH, body);
    }

    private HttpResponse<String> delete(String id) throws Exception {
        return sendAsOperator("DELETE", PATH + "/" + id, "");
    }

    private List<String> values(String parameters) throws Exception {
        JsonNode page = read(PATH + parameters);
        return page.path("items")
                .valueStream()
                .map(each -> each.path("value").asString())
                .toList();
    }

    @Test
    void spellingsOfAnAddressAreOneEntryAndAZoneIsRefused() throws Exception {
        for (String value : List.of("10.1.2.3/8", "10.0.0.0/8", "::ffff:192.0.2.7", "192.0.2.7", "FD00:0::/8")) {
            assertThat(post("{\"kind\":\"ADDRESS\",\"value\":\"" + value + "\",\"reason\":\"scans\"}")
                            .statusCode())
                    .isEqualTo(201);
        }
        assertThat(values("")).containsExactly("10.0.0.0/8", "192.0.2.7", "fd00::/8");

        HttpResponse<String> zone = post("{\"kind\":\"ADDRESS\",\"value\":\"fe80::1%eth0\",\"reason\":\"scans\"}");
        assertThat(zone.statusCode()).isEqualTo(400);
        assertThat(zone.body()).contains("Leave out the zone of the address");
    }

    @Test
    void aClientIsBlockedShownAndLifted() throws Exception {
        HttpResponse<String> created = post(
                "{\"kind\":\"ADDRESS\",\"value\":\"10.0.0.0/8\",\"reason\":\"scans\",\"until\":\"2099-01-01T00:00:00Z\"}");

        assertThat(created.statusCode()).as(created.body()).isEqualTo(201);
        JsonNode entry = JSON.readTree(created.body());
        assertThat(entry.path("kind").asString()).isEqualTo("ADDRESS");
        assertThat(entry.path("reason").asString()).isEqualTo("scans");
        assertThat(entry.path("until").asString()).isEqualTo("2099-01-01T00:00:00Z");
        assertThat(entry.path("createdBy").asString()).isEqualTo("olga");
        JsonNode page = read(PATH);
        assertThat(page.path("items").path(0)).isEqualTo(entry);
        assertThat(page.path("next").isNull()).isTrue();

        String id = entry.path("id").asString();
        assertThat(delete(id).statusCode()).isEqualTo(204);
        assertThat(delete(id).statusCode()).isEqualTo(204);

        assertThat(server.blocked().all()).isEmpty();
        assertThat(server.auditLog().entries())
                .extracting(
                        each -> each.attempt().action(), each -> each.attempt().target())
                .containsExactly(
                        tuple("BLOCK_CLIENT", "blocked-clients/" + id),
                        tuple("UNBLOCK_CLIENT", "blocked-clients/" + id));
    }

    @Test
    void theListHasPagesAndFilters() throws Exception {
        Stream.of(
                        entry(Kind.CLIENT_ID, "pump-2", "olga"),
                        entry(Kind.USER_NAME, "pump-1", "olga"),
                        entry(Kind.CLIENT_ID, "pump-1", BlockedClient.FLAPPING),
                        entry(Kind.ADDRESS, "10.0.0.7", "ada"))
                .forEach(server.blocked()::put);

        assertThat(values("")).containsExactly("10.0.0.7", "pump-1", "pump-1", "pump-2");
        assertThat(values("?sort=-value")).containsExactly("pump-2", "pump-1", "pump-1", "10.0.0.7");
        assertThat(values("?kind=CLIENT_ID")).containsExactly("pump-1", "pump-2");
        assertThat(values("?valuePrefix=pump&createdBy=olga")).containsExactly("pump-1", "pump-2");
        assertThat(values("?createdBy=flapping")).containsExactly("pump-1");
        JsonNode first = read(PATH + "?limit=2");
        assertThat(first.path("items").size()).isEqualTo(2);
        assertThat(values("?limit=2&after=" + first.path("next").asString())).containsExactly("pump-1", "pump-2");
    }

    private static BlockedClient entry(Kind kind, String value, String createdBy) {
        return BlockedClientStoreContract.entry(kind, value, null, createdBy);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = ';',
            value = {
                "{\"value\":\"a\",\"reason\":\"b\"}; kind",
                "{\"kind\":\"client_id\",\"value\":\"a\",\"reason\":\"b\"}; kind",
                "{\"kind\":\"CLIENT_ID\",\"reason\":\"b\"}; value",
                "{\"kind\":\"CLIENT_ID\",\"value\":\"a\\n\",\"reason\":\"b\"}; value",
                "{\"kind\":\"ADDRESS\",\"value\":\"10.0.0.0/33\",\"reason\":\"b\"}; value",
                "{\"kind\":\"ADDRESS\",\"value\":\"example.org\",\"reason\":\"b\"}; value",
                "{\"kind\":\"CLIENT_ID\",\"value\":\"a\"}; reason",
                "{\"kind\":\"CLIENT_ID\",\"value\":\"a\",\"reason\":\"\\u0007\"}; reason",
                "{\"kind\":\"CLIENT_ID\",\"value\":\"a\",\"reason\":\"b\",\"until\":\"2020-01-01T00:00:00Z\"}; until",
                "{\"kind\":\"CLIENT_ID\",\"value\":\"a\",\"reason\":\"b\",\"until\":\"9999-01-01T00:00:00Z\"}; until",
                "{\"kind\":\"CLIENT_ID\",\"value\":\"a\",\"reason\":\"b\",\"until\":\"soon\"}; until"
            })
    void wrongFieldsAreNamed(String body, String field) throws Exception {
        HttpResponse<String> refused = post(body);

        ApiClient.problem(refused, 400);
        assertThat(refused.body()).contains("\"" + field + "\"");
        assertThat(server.blocked().all()).isEmpty();
    }

    @Test
    void aboveTheMaximumNoClientIsBlocked() throws Exception {
        for (int i = 0; i < BlockedClientStore.MAXIMUM; i++) {
            server.blocked().put(entry(Kind.CLIENT_ID, "c" + i, "ada"));
        }

        HttpResponse<String> refused = post("{\"kind\":\"CLIENT_ID\",\"value\":\"pump\",\"reason\":\"b\"}");

        ApiClient.problem(refused, 409);
        assertThat(refused.body()).contains("10000 blocked clients");
        assertThat(server.auditLog().entries().getFirst().result().outcome()).isEqualTo(AuditOutcome.FAILED);
        assertThat(post("{\"kind\":\"CLIENT_ID\",\"value\":\"c1\",\"reason\":\"b\"}")
                        .statusCode())
                .isEqualTo(201);
    }
}
