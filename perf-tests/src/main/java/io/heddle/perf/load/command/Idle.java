package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.traffic.IdleLoad;
import io.heddle.perf.load.traffic.IdlePlan;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command for idle connections. */
@Command(
        name = "idle",
        description = "Measures the cost of connects and of idle connections.",
        mixinStandardHelpOptions = true)
final class Idle implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final BrokerOptions broker = new BrokerOptions();

    @Mixin
    private final MeasureOptions measure = new MeasureOptions();

    @Option(names = "--connections", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int connections = 10_000;

    @Option(names = "--persistent", description = "use sessions that outlive their connections")
    private boolean persistent;

    @Override
    public Integer call() {
        if (connections < 1) {
            throw new LoadException("--connections must be 1 or more");
        }
        var measured = measure.plan();
        Duration hold = measured.duration();
        String name = String.format(Locale.ROOT, "idle: %,d connections, held for %d s", connections, hold.toSeconds());
        Report report = new IdleLoad(
                        new IdlePlan(name, connections, persistent, hold),
                        broker.access(),
                        measured,
                        LoadGenerator.progress(command))
                .run();
        return measure.report(report, command.commandLine().getOut());
    }
}
