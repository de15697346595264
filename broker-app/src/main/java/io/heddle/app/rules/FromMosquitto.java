package io.heddle.app.rules;

import io.heddle.app.console.Console;
import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** Converts an acl_file of Mosquitto. */
@Command(
        name = "from-mosquitto",
        description = {
            "Converts an acl_file of Mosquitto. Writes a rules file of Heddle to standard output, and to standard error what is"
                    + " different there.",
            "If a line cannot be converted, no rules are written, and the exit status is 1."
        })
final class FromMosquitto implements Callable<Integer> {
    @Parameters(paramLabel = "ACL_FILE", description = "file in UTF-8")
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private Path file;

    @Override
    public Integer call() {
        MosquittoRules rules = new MosquittoRules(Console::printError);
        int refused = rules.read(lines());
        if (refused > 0) {
            Console.printError("No rules were written. Lines that cannot be converted: " + refused
                    + "; correct them in a copy of the file, and convert that");
            return 1;
        }
        Console.print(String.join(System.lineSeparator(), rules.text()));
        Console.printError("Rules: " + rules.count()
                + ". As in Mosquitto, clients may subscribe to any filter with wildcards, and get the messages that they may read"
                + " (partial-subscriptions filter)");
        return 0;
    }

    private List<String> lines() {
        try {
            return Files.readAllLines(file);
        } catch (IOException unreadable) {
            throw new StartupException(
                    file + " cannot be read as text in UTF-8: check its path, permissions and encoding", unreadable);
        }
    }
}
