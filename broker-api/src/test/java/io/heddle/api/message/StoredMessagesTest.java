package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.QoS;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

/** The queue in the details of a client. The stub knows a client "sensor/1". */
final class StoredMessagesTest extends MessagesFixture {
    private static final String CLIENT = "/api/v1/client?clientId=sensor%2F1";

    @Test
    void theDetailsShowTheQueueOfAPersistentSession() {
        connect("sensor/1").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        publish("one", "two");

        JsonNode stored = ok(get(CLIENT)).path("stored");

        assertThat(stored.path("messages").asInt()).isEqualTo(2);
        assertThat(stored.path("queuedBytes").asLong())
                .isEqualTo(ok(get("/api/v1/queues/queue?clientId=sensor%2F1"))
                        .path("queuedBytes")
                        .asLong())
                .isPositive();
    }

    @Test
    void aSessionThatEndsWithItsConnectionHasNoQueue() {
        assertThat(ok(get(CLIENT)).path("stored").isNull()).isTrue();
    }
}
