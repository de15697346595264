package io.heddle.app.admin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.app.start.Usage;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.util.List;
import org.junit.jupiter.api.Test;
import picocli.CommandLine;

/** The help texts of the commands. */
final class HelpTest {
    @Test
    void noHelpTextCausesAWarning() {
        ByteArrayOutputStream errors = new ByteArrayOutputStream();
        PrintStream original = System.err;
        System.setErr(new PrintStream(errors, true, UTF_8));
        try {
            for (Class<?> command : List.of(AdminCommand.class, CredentialsCommand.class)) {
                assertHasHelp(new CommandLine(command));
            }
        } finally {
            System.setErr(original);
        }

        assertThat(errors.toString(UTF_8)).isEmpty();
    }

    @Test
    void theUsageNamesAllCommands() {
        for (Class<?> command : List.of(AdminCommand.class, CredentialsCommand.class)) {
            assertThat(new CommandLine(command).getSubcommands().keySet())
                    .allSatisfy(name -> assertThat(Usage.TEXT).containsPattern("[ |]" + name + "[ |]"));
        }
    }

    private static void assertHasHelp(CommandLine command) {
        assertThat(command.getUsageMessage()).as(command.getCommandName()).contains("Usage:");
        command.getSubcommands().values().forEach(HelpTest::assertHasHelp);
    }
}
