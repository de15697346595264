package io.heddle.api.subscriptions;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiServer;
import io.heddle.core.administration.AdminRole;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.operator.client.FilterPage;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import java.net.http.HttpResponse;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

final class SubscriptionControllerTest {
    private static final JsonMapper JSON = JsonMapper.shared();

    @Test
    void subscribersAreListedInPages() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.clients().loseNode();

            HttpResponse<String> response =
                    client.get("/api/v1/subscriptions?topicFilter=a%2F%2B&limit=1", "vera", "looking");

            assertThat(response.statusCode()).as(response.body()).isEqualTo(200);
            JsonNode page = JSON.readTree(response.body());
            assertThat(page.path("items")).isEqualTo(JSON.readTree("""
                    [{"clientId": "sensor/1", "topicFilter": "a/+", "qos": 2, "noLocal": false, "retainAsPublished": true,
                      "subscriptionIdentifier": null, "persistent": true}]
                    """));
            assertThat(page.path("missingNodes")).isEqualTo(JSON.readTree("[\"c\"]"));
            assertThat(page.path("complete").asBoolean(true)).isFalse();
            client.get(
                    "/api/v1/subscriptions?topicFilter=a%2F%2B&limit=1&after="
                            + page.path("next").asString(),
                    "vera",
                    "looking");
            assertThat(server.clients().subscriberQuery())
                    .isEqualTo(new SubscriberQuery(
                            new Of.Filter(TopicFilter.parse("a/+", 8)), new Position("sensor/1", "a/+"), 1));
            client.get("/api/v1/subscriptions?topic=a%2Fb", "vera", "looking");
            assertThat(server.clients().subscriberQuery())
                    .isEqualTo(new SubscriberQuery(new Of.Topic(TopicName.parse("a/b", 8)), null, 100));
        }
    }

    @Test
    void filtersInUseAreListedInPages() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());
            server.clients().loseNode();

            JsonNode page = JSON.readTree(client.get("/api/v1/filters?topicFilterPrefix=a&limit=2", "vera", "looking")
                    .body());

            assertThat(page.path("items")).isEqualTo(JSON.readTree("""
                    [{"topicFilter": "$share/g/a/+", "subscribers": 3, "connected": 2},
                     {"topicFilter": "a/+", "subscribers": 1, "connected": 0}]
                    """));
            assertThat(page.path("missingNodes")).isEqualTo(JSON.readTree("[\"c\"]"));
            assertThat(page.path("complete").asBoolean(true)).isFalse();
            client.get(
                    "/api/v1/filters?topicFilterPrefix=a&limit=2&after="
                            + page.path("next").asString(),
                    "vera",
                    "looking");
            assertThat(server.clients().filterQuery()).isEqualTo(new FilterPage.Query("a", "a/+", 2));
        }
    }

    @Test
    void aWrongTopicOrFilterIsNamed() throws Exception {
        try (ApiServer server = new ApiServer();
                ApiClient client = server.client()) {
            server.administrators().put("vera", "looking", AdminRole.VIEWER, server.passwordHash());

            for (String query : new String[] {"", "?topic=a&topicFilter=a", "?topic=a%2F%23"}) {
                assertThat(ApiClient.problem(client.get("/api/v1/subscriptions" + query, "vera", "looking"), 400)
                                .path("errors")
                                .path(0)
                                .path("field")
                                .asString())
                        .isEqualTo("topic");
            }
            assertThat(ApiClient.problem(client.get("/api/v1/subscriptions?topicFilter=a%23", "vera", "looking"), 400)
                            .path("errors")
                            .path(0)
                            .path("field")
                            .asString())
                    .isEqualTo("topicFilter");
        }
    }
}
