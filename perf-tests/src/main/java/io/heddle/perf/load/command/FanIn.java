package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.accounting.Groups;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** Many publishers to each of few subscribers. */
@Command(
        name = "fan-in",
        description = "Many publishers for each subscriber; each message goes to one subscriber.",
        mixinStandardHelpOptions = true)
final class FanIn implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final MessageOptions messages = new MessageOptions();

    @Option(names = "--publishers", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int publishers = 2_000;

    @Option(names = "--subscribers", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int subscribers = 4;

    @Override
    public Integer call() {
        if (subscribers < 1 || publishers < subscribers || publishers % subscribers != 0) {
            throw new LoadException(
                    "--publishers must be a multiple of --subscribers, so that all subscribers have the same number");
        }
        return messages.run(
                command,
                new Groups(subscribers, publishers / subscribers, 1),
                "country/region/{group}/{publisher}",
                "country/region/{group}/+");
    }
}
