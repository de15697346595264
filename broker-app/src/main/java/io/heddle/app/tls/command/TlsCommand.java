package io.heddle.app.tls.command;

import io.heddle.app.credentials.CredentialsCommand;
import java.util.List;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.ScopeType;
import picocli.CommandLine.Spec;

@Command(
        name = "heddle tls",
        scope = ScopeType.INHERIT,
        mixinStandardHelpOptions = true,
        description = "Creates certificates for trials of TLS.",
        subcommands = SelfSigned.class,
        synopsisSubcommandLabel = "(self-signed)")
public final class TlsCommand implements Runnable {
    /** First argument that selects this command. */
    public static final String NAME = "tls";

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    private TlsCommand() {}

    /**
     * @param arguments arguments after the name of the command
     * @return the exit status: 0 success, 1 failure, 2 wrong arguments
     */
    public static int run(List<String> arguments) {
        return CredentialsCommand.execute(new TlsCommand(), arguments);
    }

    @Override
    public void run() {
        throw new ParameterException(command.commandLine(), "Say what to do: self-signed");
    }
}
