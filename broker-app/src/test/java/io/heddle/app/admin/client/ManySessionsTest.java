package io.heddle.app.admin.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.app.admin.request.ApiServer;
import io.heddle.app.admin.request.NodeClient;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.time.Instant;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

final class ManySessionsTest {
    private static final Instant NOW = Instant.parse("2026-11-08T10:00:00Z");
    private static final String PATH = "DELETE /api/v1/sessions?clientId=mqttjs_*";

    private final ApiServer server;
    private final NodeClient node;

    ManySessionsTest() throws IOException {
        server = ApiServer.start();
        node = new NodeClient(server.uri(), "admin", "secret", null);
    }

    @BeforeEach
    void prepare() {
        server.answer(200, "{\"sessions\": 3, \"complete\": false, \"unknown\": []}")
                .answer(200, "{\"sessions\": 2, \"complete\": true, \"unknown\": []}");
    }

    @AfterEach
    void stop() {
        node.close();
        server.close();
    }

    private static ManySessions options(String... options) {
        return CommandLine.populateCommand(new ManySessions(), options);
    }

    @Test
    void aDryRunCountsSessionsAndEndsNone() {
        assertThat(options("--dry-run", "--yes", "--away-for=7d", "--user=u").end(node, "mqttjs_*", NOW))
                .isZero();

        assertThat(server.requests())
                .containsExactly(PATH + "&userName=u&awayBefore=2026-11-01T10%3A00%3A00Z&dryRun=true");
    }

    @Test
    void withoutConfirmationSessionsAreOnlyCounted() {
        assertThat(options().end(node, "mqttjs_*", NOW)).isOne();

        assertThat(server.requests()).containsExactly(PATH + "&dryRun=true");
    }

    @Test
    void theRequestIsRepeatedUntilAllSessionsHaveEnded() {
        assertThat(options("--yes").end(node, "mqttjs_*", NOW)).isZero();

        assertThat(server.requests()).containsExactly(PATH, PATH);
    }

    @Test
    void aSessionWithUnknownOutcomeEndsTheCommand() throws IOException {
        try (ApiServer unsure = ApiServer.start();
                NodeClient client = new NodeClient(unsure.uri(), "admin", "secret", null)) {
            unsure.answer(200, "{\"sessions\": 3, \"complete\": false, \"unknown\": [\"mqttjs_7\"]}");

            assertThat(options("--yes").end(client, "mqttjs_*", NOW)).isOne();

            assertThat(unsure.requests()).hasSize(1);
        }
    }

    @Test
    void wrongOptionsAreExplained() {
        assertThatThrownBy(() -> options("--away-for=7").end(node, "*", NOW))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("--away-for is 7");
        assertThatThrownBy(() -> options("--dry-run").requireAbsent())
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("--pattern");
        options().requireAbsent();
        assertThat(server.requests()).isEmpty();
    }
}
