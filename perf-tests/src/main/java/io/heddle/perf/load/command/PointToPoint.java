package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.accounting.Groups;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Each publisher has its own subscriber. */
@Command(
        name = "point-to-point",
        description = "Each publisher has its own subscriber.",
        mixinStandardHelpOptions = true)
final class PointToPoint implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final MessageOptions messages = new MessageOptions();

    @Option(names = "--pairs", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int pairs = 500;

    @Override
    public Integer call() {
        if (pairs < 1) {
            throw new LoadException("--pairs must be 1 or more");
        }
        return messages.run(
                command, new Groups(pairs, 1, 1), "continent/country/{group}/state", "continent/country/{group}/+");
    }
}
