package io.heddle.app.credentials;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The options that commands repeat in their answers. CredentialsCommandIT tests which database the options select. */
final class DatabaseOptionsTest {
    private static String text(String... arguments) {
        return CommandLine.populateCommand(new DatabaseOptions(), arguments).text();
    }

    @Test
    void theOptionsOfTheCommandAreRepeated() {
        assertThat(text()).isEmpty();
        assertThat(text("--data-dir", "~/.heddle")).isEmpty();
        assertThat(text("--data-dir", "/var/lib/heddle")).isEqualTo(" --data-dir /var/lib/heddle");
        assertThat(text("--data-dir", "/with space")).isEqualTo(" --data-dir '/with space'");
        assertThat(text("--heddle.postgres.url", "jdbc:postgresql://db/heddle"))
                .isEqualTo(" --heddle.postgres.url jdbc:postgresql://db/heddle");
    }
}
