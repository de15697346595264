package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.accounting.Groups;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.traffic.MessageLoad;
import io.heddle.perf.load.traffic.MessagePlan;
import io.heddle.perf.load.wire.Stamp;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;

/** The options of all message loads. */
final class MessageOptions {
    private static final int MAXIMUM_UNACKNOWLEDGED = 65_535;
    private static final int LARGEST_OTHER_FIELDS_BYTES = 70_000;

    @Mixin
    private final BrokerOptions broker = new BrokerOptions();

    @Mixin
    private final MeasureOptions measure = new MeasureOptions();

    @Option(names = "--payload", paramLabel = "BYTES", description = "at least 24; default: ${DEFAULT-VALUE}")
    private int payload = 66;

    @Option(names = "--qos", paramLabel = "QOS", description = "of PUBLISH and SUBSCRIBE; default: ${DEFAULT-VALUE}")
    private int qos;

    @Option(
            names = "--retain",
            description = "publishers set RETAIN: each message replaces the retained message of its topic")
    private boolean retain;

    @Option(
            names = "--window",
            paramLabel = "N",
            description = "closed loop: undelivered messages of each publisher;" + " default: ${DEFAULT-VALUE}")
    private int window = 4;

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "fixed rate instead of the closed loop: messages per second of all publishers")
    private double rate;

    @Option(
            names = "--unacknowledged",
            paramLabel = "N",
            description = "messages of each publisher without PUBACK or PUBCOMP; default: ${DEFAULT-VALUE}")
    private int unacknowledged = 256;

    @Option(
            names = "--persistent",
            paramLabel = "WHO",
            description = "clients whose sessions outlive their connections: none, subscribers or all; default: none",
            converter = PersistenceOption.class)
    private MessagePlan.Persistence persistence = MessagePlan.Persistence.NONE;

    @Option(
            names = "--topic",
            paramLabel = "TOPIC",
            description = "topic of publishers; {publisher} and {group} stand for their numbers")
    private @Nullable String topic;

    @Option(
            names = "--filter",
            paramLabel = "FILTER",
            description = "filter of subscribers; {subscriber} and {group} stand for their numbers")
    private @Nullable String filter;

    @Option(
            names = "--give-up",
            paramLabel = "TIME",
            description = "time after which an undelivered message leaves the window, and timeout for the last"
                    + " deliveries; default: 5s",
            converter = DurationOption.class)
    private Duration giveUp = Duration.ofSeconds(5);

    @Option(names = "--forbid-loss", description = "fail if a message is lost, at QoS 0, too")
    private boolean forbidLoss;

    /** Runs the load and prints its report. Returns the exit status. */
    int run(CommandSpec command, Groups groups, String defaultTopic, String defaultFilter) {
        check();
        boolean paced = rate > 0;
        String name = String.format(
                Locale.ROOT,
                "%s: %,d publishers, %,d subscribers, %d bytes, QoS %d%s, %s",
                command.name(),
                groups.publishers(),
                groups.subscribers(),
                payload,
                qos,
                retain ? ", RETAIN" : "",
                paced ? String.format(Locale.ROOT, "%,.0f messages published per second", rate) : "window " + window);
        MessagePlan plan = new MessagePlan(
                name,
                groups,
                topic == null ? defaultTopic : topic,
                filter == null ? defaultFilter : filter,
                qos,
                retain,
                payload,
                paced ? 0 : window,
                paced ? rate : 0,
                unacknowledged,
                persistence,
                giveUp,
                forbidLoss || qos > 0);
        Report report = new MessageLoad(
                        plan,
                        broker.access(),
                        measure.plan(),
                        new SecureRandom().nextInt(),
                        LoadGenerator.progress(command))
                .run();
        return measure.report(report, command.commandLine().getOut());
    }

    private void check() {
        if (qos < 0 || qos > 2) {
            throw new LoadException("--qos " + qos + " is not a QoS: use 0, 1 or 2");
        }
        if (payload < Stamp.BYTES || payload > NetworkLoop.BUFFER_BYTES - LARGEST_OTHER_FIELDS_BYTES) {
            throw new LoadException("--payload " + payload + " is out of range: use " + Stamp.BYTES + " to "
                    + (NetworkLoop.BUFFER_BYTES - LARGEST_OTHER_FIELDS_BYTES) + " bytes");
        }
        if (window < 1 || rate < 0) {
            throw new LoadException("--window must be 1 or more, and --rate more than 0");
        }
        if (unacknowledged < 1 || unacknowledged > MAXIMUM_UNACKNOWLEDGED) {
            throw new LoadException("--unacknowledged must be 1 to 65535");
        }
    }
}
