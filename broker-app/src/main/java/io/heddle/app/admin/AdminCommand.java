package io.heddle.app.admin;

import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.app.credentials.ResetPassword;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/** The command that administers a cluster and its administrators. */
@Command(
        name = "heddle admin",
        description =
                "Shows the nodes of the cluster, drains one, rebalances the connections, waits until the cluster is steady, reloads"
                        + " certificates, or changes the password of an administrator.",
        subcommands = {
            ListNodes.class,
            DrainNode.class,
            RebalanceCluster.class,
            AwaitSteady.class,
            ReloadCertificates.class,
            ResetPassword.class
        },
        mixinStandardHelpOptions = true,
        synopsisSubcommandLabel = "(nodes | drain | rebalance | await-steady | reload-certificates | reset-password)")
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
        throw new ParameterException(
                command.commandLine(),
                "Say what to do: nodes, drain, rebalance, await-steady, reload-certificates or reset-password");
    }
}
