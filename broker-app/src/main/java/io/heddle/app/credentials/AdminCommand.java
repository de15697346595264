package io.heddle.app.credentials;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that administers administrators. */
@Command(
        name = "heddle admin",
        description = "Changes the password of an administrator of the HTTP interface.",
        subcommands = ResetPassword.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "reset-password")
public final class AdminCommand implements Runnable {
    /** First argument that selects this command. */
    public static final String NAME = "admin";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    private AdminCommand() {}

    /**
     * Runs the command.
     *
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return CredentialsCommand.execute(new AdminCommand(), arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "Say what to do: reset-password");
    }
}
