package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class RetainedControllerTest extends MessagesFixture {
    private void retain(String... topics) {
        for (String topic : topics) {
            publisher.retain(topic, "of " + topic);
        }
    }

    @Test
    void pagesOfAFilterFollowEachOther() {
        retain("plant/1", "plant/2", "plant/2/a", "other");
        List<String> topics = new ArrayList<>();
        String next = "";
        do {
            JsonNode page = ok(get("/api/v1/retained?limit=2&filter=" + encoded("plant/#") + "&after=" + next));
            topics.addAll(page.path("items").findValuesAsString("topic"));
            next = page.path("next").asString("");
        } while (!next.isEmpty());

        assertThat(topics).containsExactly("plant/1", "plant/2", "plant/2/a");
        assertThat(ok(get("/api/v1/retained")).path("items")).isEqualTo(json("""
            [{"topic": "other", "qos": 0, "publisher": "publisher", "payloadBytes": 8, "expiresAt": null, "contentType": null},
             {"topic": "plant/1", "qos": 0, "publisher": "publisher", "payloadBytes": 10, "expiresAt": null, "contentType": null},
             {"topic": "plant/2", "qos": 0, "publisher": "publisher", "payloadBytes": 10, "expiresAt": null, "contentType": null},
             {"topic": "plant/2/a", "qos": 0, "publisher": "publisher", "payloadBytes": 12, "expiresAt": null, "contentType": null}]
            """));
    }

    @Test
    void aMessageIsShownAsTextAndAsBase64() {
        retain("plant/1");

        assertThat(ok(get("/api/v1/retained/message?topic=plant%2F1"))).isEqualTo(json("""
            {"topic": "plant/1", "qos": 0, "retain": true, "publisher": "publisher", "payload": "of plant/1",
             "payloadBase64": "b2YgcGxhbnQvMQ==", "payloadBytes": 10, "expiresAt": null, "payloadIsUtf8": null,
             "contentType": null, "responseTopic": null, "correlationDataBase64": null, "userProperties": []}
            """));
        ApiClient.problem(get("/api/v1/retained/message?topic=nothing"), 404);
        post("/api/v1/publish", """
            {"topic": "binary", "payloadBase64": "/w==", "retain": true}\
            """);
        JsonNode binary = ok(get("/api/v1/retained/message?topic=binary"));
        assertThat(binary.path("payload").isNull()).isTrue();
        assertThat(binary.path("payloadBase64").asString()).isEqualTo("/w==");
    }

    @Test
    void aMessageIsRemovedAndTheChangeIsRecorded() {
        retain("plant/1", "plant/2");

        assertThat(delete("/api/v1/retained/message?topic=plant%2F1").statusCode())
                .isEqualTo(204);
        assertThat(lastChange()).contains("ada", "REMOVE_RETAINED_MESSAGE", "plant/1", "DONE");
        assertThat(delete("/api/v1/retained/message?topic=plant%2F1").statusCode())
                .as("again")
                .isEqualTo(204);
        assertThat(ok(get("/api/v1/retained")).path("items").findValuesAsString("topic"))
                .containsExactly("plant/2");
    }

    @Test
    void onlyTheVersionThatWasReadIsRemoved() {
        retain("plant/1");
        String path = "/api/v1/retained/message?topic=plant%2F1";
        String read = get(path).headers().firstValue("ETag").orElseThrow();
        publisher.retain("plant/1", "newer");

        ApiClient.problem(delete(path, read), 412);
        assertThat(ok(get(path)).path("payload").asString()).isEqualTo("newer");
        assertThat(delete(path, get(path).headers().firstValue("ETag").orElseThrow())
                        .statusCode())
                .isEqualTo(204);
        ApiClient.problem(get(path), 404);
        assertThat(wrongFields(delete("/api/v1/retained?filter=" + encoded("#"), read)))
                .containsExactly("If-Match");
    }

    @Test
    void messagesThatMatchAreRemoved() {
        retain("plant/1", "plant/2", "other");

        assertThat(ok(delete("/api/v1/retained?filter=" + encoded("plant/+")))).isEqualTo(json("""
            {"removed": 2, "complete": true}\
            """));
        assertThat(node.restarted().retained.size()).isOne();
    }

    @Test
    void wrongParametersAreNamed() {
        assertThat(wrongFields(get("/api/v1/retained?filter=" + encoded("a#")))).containsExactly("filter");
        assertThat(wrongFields(get("/api/v1/retained?filter=" + encoded("$share/g/a"))))
                .containsExactly("filter");
        assertThat(wrongFields(get("/api/v1/retained?size=3"))).containsExactly("size");
        assertThat(wrongFields(get("/api/v1/retained?after=x"))).containsExactly("after");
        assertThat(wrongFields(get("/api/v1/retained/message?topic=" + encoded("a/+"))))
                .containsExactly("topic");
        assertThat(wrongFields(delete("/api/v1/retained"))).containsExactly("filter");
    }
}
