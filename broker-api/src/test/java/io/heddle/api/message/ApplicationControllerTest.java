package io.heddle.api.message;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.TestClient;
import java.util.List;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class ApplicationControllerTest extends MessagesFixture {
    @Test
    void logsAreListedWithTheirLag() {
        connect("app/1").subscribe(QoS.AT_LEAST_ONCE, "t").lose();
        connect("app/2");
        publish("a", "b");

        JsonNode page = ok(get("/api/v1/applications?limit=1"));
        assertThat(page.path("items")).isEqualTo(json("""
            [{"clientId": "app/1", "connected": false, "lag": 2, "position": 0, "firstOffset": 0, "endOffset": 2,
              "logBytes": null}]\
            """));
        JsonNode last =
                ok(get("/api/v1/applications?limit=1&after=" + page.path("next").asString()));
        assertThat(last.path("items").findValuesAsString("clientId")).containsExactly("app/2");
        assertThat(last.path("items").findValues("connected")).containsExactly(json("true"));
        assertThat(last.path("next").isNull()).isTrue();
        assertThat(ok(get("/api/v1/applications/log?clientId=app%2F1"))
                        .path("lag")
                        .asInt())
                .isEqualTo(2);
    }

    @Test
    void logsAreListedByPrefixInBothOrders() {
        connect("app/1").lose();
        connect("app/2").lose();
        connect("apple").lose();

        assertThat(clientIds("?clientIdPrefix=app%2F")).containsExactly("app/1", "app/2");
        assertThat(clientIds("?sort=-clientId")).containsExactly("apple", "app/2", "app/1");
        String filter = "?clientIdPrefix=app%2F&sort=-clientId&limit=1";
        String cursor = ok(get("/api/v1/applications" + filter)).path("next").asString();
        assertThat(clientIds(filter + "&after=" + cursor)).containsExactly("app/1");
        assertThat(wrongFields(get("/api/v1/applications?clientIdPrefix=app%2F&after=" + cursor)))
                .containsExactly("after");
        assertThat(wrongFields(get("/api/v1/applications?sort=-clientId&after=" + cursor)))
                .containsExactly("after");
    }

    private List<String> clientIds(String query) {
        return ok(get("/api/v1/applications" + query)).path("items").findValuesAsString("clientId");
    }

    @Test
    void theClientContinuesAtTheNewPosition() {
        TestClient app = connect("app/1").subscribe(QoS.AT_LEAST_ONCE, "t");
        publish("a", "b", "c");
        app.pubAck(32_768);
        app.pubAck(32_769);

        assertThat(ok(post("/api/v1/applications/seek", """
            {"clientId": "app/1", "offset": 1}\
            """))).isEqualTo(json("""
                    {"positionBefore": 2, "position": 1}\
                    """));

        assertThat(lastChange()).contains("SEEK_APPLICATION_LOG", "app/1", "DONE");
        app = connect("app/1");
        assertThat(app.payloads()).containsExactly("b", "c");
        app.lose();
        ok(post("/api/v1/applications/seek", """
            {"clientId": "app/1", "to": "BEGINNING"}\
            """));
        assertThat(connect("app/1").payloads()).containsExactly("a", "b", "c");
        ok(post("/api/v1/applications/seek", """
            {"clientId": "app/1", "time": "2000-01-01T00:00:00Z"}\
            """));
        assertThat(connect("app/1").payloads()).containsExactly("a", "b", "c");
        assertThat(ok(delete("/api/v1/applications/messages?clientId=app%2F1"))).isEqualTo(json("""
            {"positionBefore": 0, "position": 3}\
            """));
        publish("d");
        assertThat(connect("app/1").payloads()).containsExactly("d");
    }

    @Test
    void wrongClientsAndFieldsAreNamed() {
        connect("device").lose();

        ApiClient.problem(get("/api/v1/applications/log?clientId=device"), 404);
        ApiClient.problem(delete("/api/v1/applications/messages?clientId=nobody"), 404);
        assertThat(wrongFields(delete("/api/v1/applications/messages?clientId=nobody", "*")))
                .containsExactly("If-Match");
        assertThat(wrongFields(post("/api/v1/applications/seek", """
            {"clientId": "app", "to": "END", "offset": 3}\
            """))).containsExactly("to");
        assertThat(wrongFields(post("/api/v1/applications/seek", """
            {"clientId": "app", "offset": -1}\
            """))).containsExactly("offset");
        assertThat(wrongFields(post("/api/v1/applications/seek", "{}"))).containsExactly("clientId");
        assertThat(wrongFields(get("/api/v1/applications?sort=lag"))).containsExactly("sort");
    }
}
