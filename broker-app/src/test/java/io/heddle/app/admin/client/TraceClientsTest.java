package io.heddle.app.admin.client;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import tools.jackson.databind.json.JsonMapper;

final class TraceClientsTest {
    @Test
    void charactersThatControlATerminalAreEscaped() {
        String json = "{\"clientId\": \"a\u009b2J\u007fb \u00e4 \\u001b\"}";

        String printed = TraceClients.printable(json);

        assertThat(printed).isEqualTo("{\"clientId\": \"a\\u009b2J\\u007fb \u00e4 \\u001b\"}");
        assertThat(JsonMapper.shared().readTree(printed))
                .isEqualTo(JsonMapper.shared().readTree(json));
    }
}
