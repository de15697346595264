package io.heddle.app.admin.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class ShowTopTest {
    private static String text(String json) {
        return ShowTop.text(JsonMapper.shared().readTree(json));
    }

    @Test
    void eachRankingThatIsNotEmptyIsATable() {
        assertThat(text("""
                {"clients": {"messagesIn": {"total": 12.5, "items": [{"name": "pump-1", "value": 10.5}, {"name": "b", "value": 2.0}]},
                             "bytesIn": {"total": 0.0, "items": []}},
                 "topics": {"messagesOut": {"total": 1.0, "items": [{"name": "plant/1", "value": 1.0}]}},
                 "missingNodes": ["heddle-2"]}""")).isEqualTo("""
                CLIENT  MESSAGES IN/S
                pump-1  10.5
                b       2.0

                TOPIC    MESSAGES OUT/S
                plant/1  1.0

                Without the nodes that have not answered: heddle-2""");
    }

    @Test
    void withoutActivityASentenceSaysSo() {
        assertThat(text("{\"clients\": {}, \"topics\": {}, \"missingNodes\": []}"))
                .isEqualTo("No client has sent or received messages in the last minute.");
    }
}
