package io.heddle.app.admin;

import io.heddle.app.admin.access.AccountCommands;
import io.heddle.app.admin.access.AdministratorCommands;
import io.heddle.app.admin.access.ApiKeyCommands;
import io.heddle.app.admin.access.BlockedCommands;
import io.heddle.app.admin.access.CredentialsCommands;
import io.heddle.app.admin.access.RuleCommands;
import io.heddle.app.admin.client.ClientCommands;
import io.heddle.app.admin.client.ListFilters;
import io.heddle.app.admin.client.ListRefusals;
import io.heddle.app.admin.client.ListSubscribers;
import io.heddle.app.admin.message.ApplicationCommands;
import io.heddle.app.admin.message.ListBuckets;
import io.heddle.app.admin.message.PublishMessage;
import io.heddle.app.admin.message.QueueCommands;
import io.heddle.app.admin.message.RetainedCommands;
import io.heddle.app.credentials.CredentialsCommand;
import io.heddle.app.credentials.ResetPassword;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;

/** The command that administers a cluster and its administrators. */
@Command(
        name = "heddle admin",
        description =
                "Administers a cluster over the REST API of one of its nodes. reset-password works on the database,"
                        + " also while no broker runs.",
        subcommands = {
            ClientCommands.class,
            ListFilters.class,
            ListRefusals.class,
            ListSubscribers.class,
            RetainedCommands.class,
            PublishMessage.class,
            ApplicationCommands.class,
            QueueCommands.class,
            ListBuckets.class,
            StoreCommands.class,
            CredentialsCommands.class,
            BlockedCommands.class,
            RuleCommands.class,
            AdministratorCommands.class,
            AccountCommands.class,
            ApiKeyCommands.class,
            ListAudit.class,
            ShowSettings.class,
            ShowNode.class,
            ListNodes.class,
            DrainNode.class,
            RebalanceCluster.class,
            AwaitSteady.class,
            ReloadCertificates.class,
            ResetPassword.class
        },
        mixinStandardHelpOptions = true)
public final class AdminCommand {
    /** First argument that selects this command. */
    public static final String NAME = "admin";

    private AdminCommand() {}

    /**
     * Runs the command.
     *
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return CredentialsCommand.execute(new AdminCommand(), arguments, CommandSpec::qualifiedName);
    }
}
