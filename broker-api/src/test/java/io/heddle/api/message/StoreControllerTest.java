package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

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
}
