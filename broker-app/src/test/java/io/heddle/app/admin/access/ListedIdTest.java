package io.heddle.app.admin.access;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.UUID;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

final class ListedIdTest {
    @Test
    void anIdIsReadInAnyCase() {
        assertThat(new ListedId().convert("6F1B0000-0000-4000-8000-000000000001"))
                .isEqualTo(UUID.fromString("6f1b0000-0000-4000-8000-000000000001"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"nope", "1-1-1-1-1", ""})
    void anotherTextIsExplainedWithoutTheNameOfAClass(String text) {
        CommandLine commands = new CommandLine(CredentialsCommands.class);

        assertThatThrownBy(() -> commands.parseArgs("show", text))
                .isInstanceOf(ParameterException.class)
                .hasMessageEndingWith(": use an id as \"list\" prints it")
                .hasMessageNotContaining("UUID");
    }
}
