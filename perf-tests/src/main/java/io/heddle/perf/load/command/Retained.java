package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.traffic.RetainedLoad;
import io.heddle.perf.load.traffic.RetainedPlan;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The command for retained messages. */
@Command(
        name = "replace-retained",
        description = "Measures the cost of replacing retained messages, which no client has subscribed to.",
        mixinStandardHelpOptions = true)
final class Retained implements Callable<Integer> {
    private static final int MAXIMUM_UNACKNOWLEDGED = 65_535;

    @Spec
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final BrokerOptions broker = new BrokerOptions();

    @Mixin
    private final MeasureOptions measure = new MeasureOptions();

    @Option(names = "--topics", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int topics = 1_000_000;

    @Option(names = "--publishers", paramLabel = "N", description = "default: ${DEFAULT-VALUE}")
    private int publishers = 50;

    @Option(names = "--payload", paramLabel = "BYTES", description = "default: ${DEFAULT-VALUE}")
    private int payload = 62;

    @Option(
            names = "--unacknowledged",
            paramLabel = "N",
            description = "messages of each publisher without PUBACK; default: ${DEFAULT-VALUE}")
    private int unacknowledged = 100;

    @Option(
            names = "--give-up",
            paramLabel = "TIME",
            description = "time without any PUBACK after which the load ends; default: 30s",
            converter = DurationOption.class)
    private Duration giveUp = Duration.ofSeconds(30);

    @Override
    public Integer call() {
        if (publishers < 1 || topics < publishers) {
            throw new LoadException("--publishers must be 1 or more, and --topics at least --publishers");
        }
        if (unacknowledged < 1 || unacknowledged > MAXIMUM_UNACKNOWLEDGED || payload < 0) {
            throw new LoadException("--unacknowledged must be 1 to 65535, and --payload 0 or more");
        }
        String name = String.format(
                Locale.ROOT,
                "replace-retained: %,d topics, %,d publishers, %d bytes, QoS 1, %d unacknowledged messages each",
                topics,
                publishers,
                payload,
                unacknowledged);
        Report report = new RetainedLoad(
                        new RetainedPlan(name, topics, publishers, payload, unacknowledged, giveUp),
                        broker.access(),
                        measure.plan(),
                        LoadGenerator.progress(command))
                .run();
        return measure.report(report, command.commandLine().getOut());
    }
}
