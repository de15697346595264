package io.heddle.app.admin.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class ShowTopicsTest {
    private static String text(String tree) {
        return ShowTopics.text(JsonMapper.shared().readTree(tree));
    }

    @Test
    void branchesAreIndentedByTheirDepth() {
        assertThat(text("""
                {"branches": [{"levels": "plant", "topic": "plant", "used": false, "topics": 2,
                               "traffic": {"messagesIn": 7.0, "bytesIn": 70.0, "messagesOut": 14.0, "bytesOut": 140.0},
                               "branches": [{"levels": "1/state", "topic": "plant/1/state", "used": true, "topics": 1, "branches": [],
                                             "traffic": {"messagesIn": 5.0, "bytesIn": 50.0, "messagesOut": 10.0, "bytesOut": 100.0}}]}],
                 "missingNodes": ["heddle-2"]}""")).isEqualTo("""
                TOPIC      MESSAGES IN/S  MESSAGES OUT/S  BYTES IN/S  BYTES OUT/S
                plant/     7.0            14.0            70.0        140.0
                  1/state  5.0            10.0            50.0        100.0

                Without the nodes that have not answered: heddle-2""");
    }

    @Test
    void withoutMessagesASentenceSaysSo() {
        assertThat(text("{\"branches\": [], \"missingNodes\": []}"))
                .isEqualTo("No client has sent or received messages in the last minute.");
    }
}
