package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.core.operator.store.HangingTransaction.Outcome;
import io.heddle.core.operator.store.LogPartition;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class StoreControllerTest extends MessagesFixture {
    @Test
    void topicsAreListedWithTheirPartitions() {
        JsonNode topics = ok(get("/api/v1/stores/kafka/topics")).path("items");

        assertThat(topics.findValuesAsString("name")).containsExactly("heddle.dead", "heddle.retained");
        assertThat(topics.path(1).path("logBytes").asInt()).isEqualTo(3_080);
        assertThat(topics.path(0).path("followedLag").isNull()).isTrue();
        assertThat(topics.path(1).path("followedLag").asInt()).isEqualTo(7);
        assertThat(topics.path(1).path("partitions").path(1)).isEqualTo(json("""
            {"partition": 1, "firstOffset": 5, "endOffset": 20, "logBytes": 2000, "replicas": 3, "inSyncReplicas": 2}\
            """));
    }

    @Test
    void topicsAreListedInPages() {
        JsonNode first = ok(get("/api/v1/stores/kafka/topics?limit=1"));
        assertThat(first.path("items").findValuesAsString("name")).containsExactly("heddle.dead");
        JsonNode last = ok(get("/api/v1/stores/kafka/topics?limit=1&after="
                + first.path("next").asString()));
        assertThat(last.path("items").findValuesAsString("name")).containsExactly("heddle.retained");
        assertThat(last.path("next").isNull()).isTrue();
        JsonNode descending = ok(get("/api/v1/stores/kafka/topics?limit=1&sort=-name"));
        assertThat(descending.path("items").findValuesAsString("name")).containsExactly("heddle.retained");
        String cursor = descending.path("next").asString();
        assertThat(ok(get("/api/v1/stores/kafka/topics?sort=-name&after=" + cursor))
                        .path("items")
                        .findValuesAsString("name"))
                .containsExactly("heddle.dead");
        assertThat(wrongFields(get("/api/v1/stores/kafka/topics?after=" + cursor)))
                .containsExactly("after");
        assertThat(wrongFields(get("/api/v1/stores/kafka/topics?limit=0"))).containsExactly("limit");
        assertThat(wrongFields(get("/api/v1/stores/redis/servers?topic=a"))).containsExactly("topic");
    }

    @Test
    void serversOfRedisAreListed() {
        assertThat(ok(get("/api/v1/stores/redis/servers?sort=-address")))
                .isEqualTo(ok(get("/api/v1/stores/redis/servers")));
        assertThat(ok(get("/api/v1/stores/redis/servers")).path("items")).isEqualTo(json("""
            [{"address": "127.0.0.1:6379", "version": "6.2.11", "role": "master", "usedBytes": 1048576,
              "maximumBytes": 0, "keys": 12, "replicas": 1}]\
            """));
    }

    @Test
    void aHangingTransactionIsListedAndEndsAsItsCoordinatorDecided() {
        LogPartition partition = server().transactions().hang(Outcome.COMMITTED, "");
        String path = "/api/v1/stores/kafka/transactions";
        JsonNode listed = ok(get(path)).path("items").path(0);
        assertThat(listed).isEqualTo(json("""
            {"topic": "heddle.buckets", "partition": %d, "firstOffset": %d, "producerId": %d, "producerEpoch": 2,
             "transactionalId": "heddle-1-00000001-0", "outcome": "COMMITTED", "problem": null}\
            """.formatted(
                        partition.partition(),
                        listed.path("firstOffset").asLong(),
                        listed.path("producerId").asLong())));
        String request =
                """
                {"topic": "heddle.buckets", "partition": %d, "producerId": %d}\
                """.formatted(partition.partition(), listed.path("producerId").asLong());

        ApiClient.problem(post(path + "/end", request.replace("}", ", \"outcome\": \"ABORTED\"}")), 409);
        ApiClient.problem(post(path + "/end", request, "vera", "looking"), 403);
        assertThat(server().transactions().ended()).isEmpty();
        assertThat(ok(post(path + "/end", request)).path("outcome").asString()).isEqualTo("COMMITTED");

        assertThat(server().transactions().ended()).containsExactly(partition + "=true");
        assertThat(lastChange()).contains("ada", "END_TRANSACTION", partition.toString(), "DONE");
        ApiClient.problem(post(path + "/end", request), 404);
        assertThat(ok(get(path)).path("items")).isEmpty();
        server().transactions().ended().clear();
    }

    @Test
    void theAdministratorDecidesAboutAnUnprovenTransaction() {
        LogPartition partition = server().transactions().hang(Outcome.UNPROVEN, "its outcome is not proven");
        String path = "/api/v1/stores/kafka/transactions";
        JsonNode listed = ok(get(path)).path("items").path(0);
        assertThat(listed.path("problem").asString()).isEqualTo("its outcome is not proven");
        String request =
                """
                {"topic": "heddle.buckets", "partition": %d, "producerId": %d}\
                """.formatted(partition.partition(), listed.path("producerId").asLong());

        assertThat(wrongFields(post(path + "/end", request))).containsExactly("outcome");
        assertThat(wrongFields(post(path + "/end", "{}"))).containsExactly("topic", "partition", "producerId");
        ok(post(path + "/end", request.replace("}", ", \"outcome\": \"ABORTED\"}")));

        assertThat(server().transactions().ended()).containsExactly(partition + "=false");
        server().transactions().ended().clear();
    }
}
