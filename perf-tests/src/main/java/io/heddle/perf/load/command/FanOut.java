package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.accounting.Groups;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Each message goes to every subscriber. */
@Command(
        name = "fan-out",
        description = "Each message of each publisher goes to every subscriber.",
        mixinStandardHelpOptions = true)
final class FanOut implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final MessageOptions messages = new MessageOptions();

    @Option(names = "--publishers", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int publishers = 10;

    @Option(names = "--subscribers", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int subscribers = 100;

    @Override
    public Integer call() {
        if (publishers < 1 || subscribers < 1) {
            throw new LoadException("--publishers and --subscribers must be 1 or more");
        }
        return messages.run(
                command, new Groups(1, publishers, subscribers), "country/city/{publisher}", "country/city/#");
    }
}
