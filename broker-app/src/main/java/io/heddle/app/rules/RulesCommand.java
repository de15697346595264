package io.heddle.app.rules;

import io.heddle.app.credentials.CredentialsCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

@Command(
        name = "heddle rules",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        description = "Writes rules for topics.",
        subcommands = FromMosquitto.class,
        synopsisSubcommandLabel = "(from-mosquitto)")
public final class RulesCommand implements Runnable {
    /** First argument that selects this command. */
    public static final String NAME = "rules";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    private RulesCommand() {}

    /**
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return CredentialsCommand.execute(new RulesCommand(), arguments, _ -> "No rules were written");
    }

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "Say what to do: from-mosquitto");
    }
}
