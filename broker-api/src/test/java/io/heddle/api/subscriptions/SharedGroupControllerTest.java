package io.heddle.api.subscriptions;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.api.testkit.ApiClient;
import io.heddle.api.testkit.ApiFixture;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.operator.client.FilterPage;
import io.heddle.core.operator.client.SubscriberQuery;
import io.heddle.core.operator.client.SubscriberQuery.Of;
import io.heddle.core.operator.client.SubscriberQuery.Position;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;

final class SharedGroupControllerTest extends ApiFixture {
    @Test
    void groupsAreListedWithTheirMembers() throws Exception {
        JsonNode page = read("/api/v1/shared-groups?shareNamePrefix=g&limit=1");

        assertThat(page.path("items")).isEqualTo(JSON.readTree("""
                [{"topicFilter": "$share/g/a/+", "shareName": "g", "filter": "a/+", "members": 3, "connected": 2}]"""));
        assertThat(read("/api/v1/shared-groups?shareNamePrefix=g&limit=1&after="
                                + page.path("next").asString())
                        .has("items"))
                .isTrue();
        assertThat(server.clients().filterQuery()).isEqualTo(new FilterPage.Query("$share/g", "a/+", 1));
    }

    @Test
    void membersSayWhichMessagesTheyGet() throws Exception {
        JsonNode page = read("/api/v1/shared-groups/members?topicFilter=%24share%2Fg%2Fa%2F%2B&limit=2");

        assertThat(page.path("items").size()).isEqualTo(2);
        assertThat(page.path("nextMember")).isEqualTo(JSON.readTree("""
                {"node": "a", "clientId": "sensor/1", "memberNode": null, "explanation": "It goes to sensor/1."}"""));
        JsonNode connected = page.path("items").path(0);
        assertThat(connected.path("clientId").asString()).isEqualTo("sensor/1");
        assertThat(connected.path("state").asString()).isEqualTo("BUSY");
        assertThat(connected.path("node").asString()).isEqualTo("b");
        assertThat(connected.path("inFlight").asInt()).isEqualTo(1);
        assertThat(connected.path("maximumInFlight").asInt()).isEqualTo(10);
        assertThat(connected.path("waiting").asInt()).isEqualTo(4);
        assertThat(connected.path("explanation").asString()).contains("only if no member can send at once");
        JsonNode unknown = page.path("items").path(1);
        assertThat(unknown.path("state").asString()).isEqualTo("UNKNOWN");
        assertThat(unknown.path("node").isNull()).isTrue();

        read("/api/v1/shared-groups/members?topicFilter=%24share%2Fg%2Fa%2F%2B&limit=2&after="
                + page.path("next").asString());
        assertThat(server.clients().subscriberQuery())
                .isEqualTo(new SubscriberQuery(
                        new Of.Filter(TopicFilter.parse("$share/g/a/+", 8)),
                        new Position("unknown", "$share/g/a/+"),
                        2));
    }

    @Test
    void aFilterThatIsNotSharedIsRefused() throws Exception {
        for (String query : new String[] {"", "?topicFilter=a", "?topicFilter=%24share%2Fg"}) {
            assertThat(ApiClient.problem(get("/api/v1/shared-groups/members" + query), 400)
                            .path("errors")
                            .path(0)
                            .path("field")
                            .asString())
                    .isEqualTo("topicFilter");
        }
    }
}
