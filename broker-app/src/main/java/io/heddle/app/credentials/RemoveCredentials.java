package io.heddle.app.credentials;

import io.heddle.app.console.Console;
import io.heddle.persistence.postgres.PostgresCredentials;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Removes the credentials for exactly this client id and user name. */
@Command(name = "remove", description = "Removes credentials.")
final class RemoveCredentials implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final ClientOptions client = new ClientOptions();

    @Mixin
    private final DatabaseOptions database = new DatabaseOptions();

    @Override
    public Integer call() {
        client.requireOne(command.commandLine());
        return database.withStored(open -> {
            String whom = ClientOptions.describe(client.clientId(), client.userName);
            if (new PostgresCredentials(() -> open).remove(client.clientId(), client.userName)) {
                Console.print("Removed the credentials of " + whom);
                return 0;
            }
            Console.printError("No credentials are stored for exactly " + whom + ": see ./heddle credentials list"
                    + database.text());
            return 1;
        });
    }
}
