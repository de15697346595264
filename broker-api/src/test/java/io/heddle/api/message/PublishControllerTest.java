package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.session.TestClient;
import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.Objects;
import org.junit.jupiter.api.Test;

final class PublishControllerTest extends MessagesFixture {
    @Test
    void aMessageReachesItsSubscribersWithAllProperties() {
        TestClient subscriber = node.connect("subscriber").subscribe(QoS.EXACTLY_ONCE, "plant/#");

        assertThat(ok(post("/api/v1/publish", """
            {"topic": "plant/1", "payload": "21.5 °C", "qos": 2, "expirySeconds": 60, "payloadIsUtf8": true,
             "contentType": "text/plain", "responseTopic": "answers", "correlationDataBase64": "AQI=",
             "userProperties": [{"name": "a", "value": "b"}, {"name": "a", "value": "c"}]}\
            """))).isEqualTo(json("""
                     {"recipients": 1, "reasonCode": 0, "reason": "SUCCESS"}\
                     """));

        PublishPacket received = subscriber.messages().getFirst();
        assertThat(received.payload().array()).isEqualTo("21.5 °C".getBytes(StandardCharsets.UTF_8));
        assertThat(received.qos()).isEqualTo(QoS.EXACTLY_ONCE);
        assertThat(received.properties().messageExpirySeconds()).isBetween(1L, 60L);
        assertThat(received.properties().payloadIsUtf8()).isTrue();
        assertThat(received.properties().contentType()).isEqualTo("text/plain");
        assertThat(received.properties().responseTopic()).hasToString("answers");
        assertThat(Objects.requireNonNull(received.properties().correlationData())
                        .array())
                .containsExactly(1, 2);
        assertThat(received.properties().userProperties())
                .containsExactly(new UserProperty("a", "b"), new UserProperty("a", "c"));
        assertThat(lastChange()).contains("ada", "PUBLISH", "plant/1", "DONE").doesNotContain("21.5");
    }

    @Test
    void aMessageForNobodyIsPublishedToo() {
        assertThat(ok(post("/api/v1/publish", """
            {"topic": "plant/1"}\
            """))).isEqualTo(json("""
                    {"recipients": 0, "reasonCode": 16, "reason": "NO_MATCHING_SUBSCRIBERS"}\
                    """));
    }

    @Test
    void aRetainedMessageIsDurableWhenTheRequestIsAnswered() {
        ok(post("/api/v1/publish", """
            {"topic": "plant/1", "payload": "x", "retain": true}\
            """));

        assertThat(node.restarted().retained.size()).isOne();
    }

    @Test
    void aMessageHasTheLimitsOfThoseOfClients() {
        String four = String.join(",", Collections.nCopies(4, "{\"name\": \"a\", \"value\": \"b\"}"));
        assertThat(wrongFields(post(
                        "/api/v1/publish",
                        "{\"topic\": \"a\", \"userProperties\": [" + four + ", {\"name\": \"a\", \"value\": \"b\"}]}")))
                .containsExactly("userProperties");
        assertThat(post("/api/v1/publish", "{\"topic\": \"a\", \"userProperties\": [" + four + "]}")
                        .statusCode())
                .isEqualTo(200);
        String longest = "t".repeat(512);
        assertThat(post("/api/v1/publish", "{\"topic\": \"" + longest + "\"}").statusCode())
                .isEqualTo(200);
        assertThat(wrongFields(post(
                        "/api/v1/publish",
                        "{\"topic\": \"" + longest + "t\", \"responseTopic\": \"" + longest + "t\"}")))
                .containsExactlyInAnyOrder("topic", "responseTopic");
    }

    @Test
    void allWrongFieldsAreNamed() {
        assertThat(wrongFields(post("/api/v1/publish", """
            {"topic": "a/+", "payload": "x", "payloadBase64": "eA==", "qos": 3, "expirySeconds": -1,
             "responseTopic": "#", "correlationDataBase64": "?", "contentType": "a\\u0000b",
             "userProperties": [{"name": "a"}]}\
            """)))
                .containsExactlyInAnyOrder(
                        "topic",
                        "payload",
                        "qos",
                        "expirySeconds",
                        "responseTopic",
                        "correlationDataBase64",
                        "contentType",
                        "userProperties[0]");
        assertThat(wrongFields(post("/api/v1/publish", """
            {"topic": "$SYS/x"}\
            """))).containsExactly("topic");
        assertThat(wrongFields(post("/api/v1/publish", "{}"))).containsExactly("topic");
        assertThat(wrongFields(
                        post("/api/v1/publish", "{\"topic\": \"a\", \"payload\": \"" + "x".repeat(65_536) + "\"}")))
                .containsExactly("payload");
        assertThat(wrongFields(post("/api/v1/publish", """
            {"topic": "a", "payloadBase64": "/w==", "payloadIsUtf8": true}\
            """))).containsExactly("payloadIsUtf8");
    }

    @Test
    void aMessageWithoutRoomIsRefusedAndTheRefusalIsRecorded() {
        connect("away").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        node.freeBytes = 50;
        node.storage.measureFreeBytes();
        node.storage.judge(0, 0);

        ApiClient.problem(post("/api/v1/publish", """
            {"topic": "t", "payload": "x", "qos": 1}\
            """), 503);

        assertThat(lastChange()).contains("PUBLISH", "FAILED");
        assertThat(node.dropped("publish_refused_storage")).isOne();
    }

    @Test
    void onlyAdministratorsWithTheRoleAdminPublish() {
        ApiClient.problem(post("/api/v1/publish", "{\"topic\": \"t\"}", "vera", "looking"), 403);
    }
}
