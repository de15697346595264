package io.heddle.app.credentials;

import io.heddle.app.console.Console;
import io.heddle.app.console.ProgramVersion;
import io.heddle.app.console.UnwritableOutputException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.directory.StandaloneException;
import java.io.PrintWriter;
import java.util.List;
import java.util.function.Function;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

/** The command that administers the credentials of MQTT clients. */
@Command(
        name = "heddle credentials",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        description = "Stores, imports, lists and removes credentials of MQTT clients.",
        subcommands = {AddCredentials.class, ImportCredentials.class, ListCredentials.class, RemoveCredentials.class},
        synopsisSubcommandLabel = "(add | import | list | remove)")
public final class CredentialsCommand implements Runnable {
    /** First argument that selects this command. */
    public static final String NAME = "credentials";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    private CredentialsCommand() {}

    /**
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return execute(new CredentialsCommand(), arguments);
    }

    /** @return the exit status: 0 success, 1 failure, 2 wrong arguments */
    public static int execute(Object command, List<String> arguments) {
        return execute(command, arguments, _ -> "Nothing was changed");
    }

    /**
     * @param beginning returns the beginning of the sentence about a failure of a subcommand
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int execute(Object command, List<String> arguments, Function<CommandSpec, String> beginning) {
        CommandLine commandLine = new CommandLine(command);
        setVersion(commandLine, ProgramVersion.text());
        commandLine.setOut(new PrintWriter(System.out, true, System.out.charset()));
        commandLine.setErr(new PrintWriter(System.err, true, System.err.charset()));
        commandLine.setExecutionExceptionHandler((failure, failed, _) -> {
            if (failure instanceof StartupException
                    || failure instanceof StandaloneException
                    || failure instanceof StoreUnavailableException
                    || failure instanceof IllegalArgumentException) {
                Console.printError(beginning.apply(failed.getCommandSpec()) + ": " + failure.getMessage());
                return 1;
            }
            if (failure instanceof UnwritableOutputException) {
                Console.printError("Cannot continue: " + failure.getMessage());
                return 1;
            }
            throw failure;
        });
        return commandLine.execute(arguments.toArray(String[]::new));
    }

    private static void setVersion(CommandLine command, String version) {
        command.getCommandSpec().version(version);
        command.getSubcommands().values().forEach(each -> setVersion(each, version));
    }

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "Say what to do: add, import, list or remove");
    }
}
