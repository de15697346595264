package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.core.mqtt.QoS;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class QueueControllerTest extends MessagesFixture {
    @Test
    void aQueueIsShownAndCleared() {
        connect("pump/1").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("a", "b", "c");

        JsonNode queue = ok(get("/api/v1/queues/queue?clientId=pump%2F1"));
        assertThat(queue.path("messages").asInt()).isEqualTo(3);
        assertThat(queue.path("queuedBytes").asInt()).isPositive();
        assertThat(queue.path("firstSequence").asInt()).isOne();
        assertThat(queue.path("lastSequence").asInt()).isEqualTo(3);
        JsonNode first = ok(get("/api/v1/queues/messages?clientId=pump%2F1&limit=2"));
        assertThat(first.path("items").findValuesAsString("payload")).containsExactly("a", "b");
        assertThat(first.path("items").findValuesAsString("sequence")).containsExactly("1", "2");

        assertThat(ok(delete("/api/v1/queues/messages?clientId=pump%2F1"))).isEqualTo(json("""
            {"messages": 3, "applied": true}\
            """));

        assertThat(lastChange()).contains("CLEAR_QUEUE", "pump/1", "DONE");
        assertThat(connect("pump/1").payloads()).isEmpty();
    }

    @Test
    void messagesAreListedInPages() {
        connect("pump").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("a", "b", "c");

        JsonNode first = ok(get("/api/v1/queues/messages?clientId=pump&limit=2"));
        String next = first.path("next").asString();
        JsonNode last = ok(get("/api/v1/queues/messages?clientId=pump&limit=2&after=" + next));

        assertThat(last.path("items").findValuesAsString("payload")).containsExactly("c");
        assertThat(last.path("next").isNull()).isTrue();
        assertThat(wrongFields(get("/api/v1/queues/messages?clientId=pump&after=2")))
                .containsExactly("after");
        assertThat(wrongFields(get("/api/v1/queues/messages?clientId=pump&sort=topic")))
                .containsExactly("sort");
    }

    @Test
    void aQueueThatIsClearedHasNoVersion() {
        connect("pump").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("a");

        assertThat(wrongFields(delete("/api/v1/queues/messages?clientId=pump", "*")))
                .containsExactly("If-Match");
        assertThat(ok(get("/api/v1/queues/queue?clientId=pump"))
                        .path("messages")
                        .asInt())
                .isOne();
    }

    @Test
    void wrongClientsAndParametersAreNamed() {
        ApiClient.problem(get("/api/v1/queues/queue?clientId=nobody"), 404);
        ApiClient.problem(delete("/api/v1/queues/messages?clientId=nobody"), 404);
        assertThat(wrongFields(get("/api/v1/queues/queue"))).containsExactly("clientId");
        assertThat(wrongFields(get("/api/v1/queues/queue?clientId="))).containsExactly("clientId");
        assertThat(wrongFields(get("/api/v1/queues/messages?clientId=a&limit=101")))
                .containsExactly("limit");
    }
}
