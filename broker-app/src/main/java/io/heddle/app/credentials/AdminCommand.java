package io.heddle.app.credentials;

import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command about those who administer the broker. */
@Command(
        name = "heddle admin",
        description = "Gives an administrator of the HTTP interface a new password.",
        subcommands = ResetPassword.class,
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "reset-password")
public final class AdminCommand implements Runnable {
    /** The word that selects this command. */
    public static final String NAME = "admin";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    private AdminCommand() {}

    /**
     * Runs the command.
     *
     * @param arguments what follows the command's name
     * @return the exit status: 0 done, 1 not done, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return CredentialsCommand.execute(new AdminCommand(), arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "Say what to do: reset-password");
    }
}
