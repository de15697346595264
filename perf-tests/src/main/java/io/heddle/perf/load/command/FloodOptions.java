package io.heddle.perf.load.command;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.flood.AttackContext;
import io.heddle.perf.load.flood.ConnectionRate;
import io.heddle.perf.load.flood.Flood;
import io.heddle.perf.load.flood.FloodLoad;
import io.heddle.perf.load.flood.FloodPlan;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.traffic.BrokerAccess.Credentials;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.UnknownHostException;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.Locale;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/** The options of all floods. */
final class FloodOptions {
    private static final int MAXIMUM_SOCKETS = 18_000;

    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private CommandSpec command;

    @Mixin
    private final EndpointOptions endpoint = new EndpointOptions();

    @Mixin
    private final ResultOptions result = new ResultOptions();

    @Option(
            names = "--duration",
            paramLabel = "TIME",
            description = "of the flood; default: 30s",
            converter = DurationOption.class)
    private Duration duration = Duration.ofSeconds(30);

    @Option(
            names = "--warm-up",
            paramLabel = "TIME",
            description = "warm-up of the well-behaved clients; default: 5s",
            converter = DurationOption.class)
    private Duration warmUp = Duration.ofSeconds(5);

    @Option(
            names = "--calm",
            paramLabel = "TIME",
            description = "duration of each measurement before and after the flood; default: 5s",
            converter = DurationOption.class)
    private Duration calm = Duration.ofSeconds(5);

    @Option(
            names = "--rate",
            paramLabel = "N",
            description = "messages per second of each well-behaved pair; default: ${DEFAULT-VALUE}")
    private double rate = 50;

    @Option(
            names = "--from",
            paramLabel = "ADDRESS",
            description = "the local address of the well-behaved clients, such as 127.0.0.2")
    private @Nullable String from;

    @Option(
            names = "--opens-at-once",
            paramLabel = "N",
            description = "concurrent handshakes of attackers; default: ${DEFAULT-VALUE}")
    private int opensAtOnce = 300;

    @Option(
            names = "--opens",
            paramLabel = "N",
            description = "reopened connections of attackers per second; default: ${DEFAULT-VALUE}")
    private double opens = 1_000;

    @Option(
            names = "--give-up",
            paramLabel = "TIME",
            description =
                    "timeout for acknowledged messages at the end, and half of the timeout for the first connections of"
                            + " the well-behaved clients; default: 10s",
            converter = DurationOption.class)
    private Duration giveUp = Duration.ofSeconds(10);

    @Option(names = "--leave", description = "leave the sessions and retained messages of the attack at the broker")
    private boolean leave;

    @Option(
            names = "--require-p99",
            paramLabel = "TIME",
            description = "fail if the p99 of messages or PUBACKs of well-behaved clients is longer during the flood",
            converter = DurationOption.class)
    private @Nullable Duration requiredP99;

    @Option(
            names = "--require-connect",
            paramLabel = "TIME",
            description = "fail if a CONNECT of a well-behaved client takes longer during the flood, or fails",
            converter = DurationOption.class)
    private @Nullable Duration requiredConnect;

    /** The user name of the well-behaved clients; null for none. */
    @Nullable
    String username() {
        return endpoint.credentials().username();
    }

    /** Runs the flood and prints its report, in which {@code sizes} describes it. Returns the exit status. */
    int run(int sockets, String sizes, Function<AttackContext, Flood> kind) {
        check(sockets);
        InetSocketAddress broker = endpoint.address();
        Credentials credentials = endpoint.credentials();
        FloodPlan plan = new FloodPlan(
                String.format(Locale.ROOT, "flood %s: %s, %d s", command.name(), sizes, duration.toSeconds()),
                kind,
                warmUp,
                calm,
                duration,
                rate,
                new ConnectionRate(opensAtOnce, opens),
                giveUp,
                leave,
                result.processes(),
                requiredP99,
                requiredConnect);
        ClientPlans attackers = new ClientPlans(
                broker, null, endpoint.clientIdPrefix(), credentials.username(), credentials.password());
        ClientPlans clients = new ClientPlans(
                broker, source(), endpoint.clientIdPrefix(), credentials.username(), credentials.password());
        Report report = new FloodLoad(
                        plan, clients, attackers, new SecureRandom().nextInt(), LoadGenerator.progress(command))
                .run();
        return result.report(report, command.commandLine().getOut());
    }

    private void check(int sockets) {
        if (sockets < 1 || sockets > MAXIMUM_SOCKETS) {
            throw new LoadException("A flood can have 1 to " + MAXIMUM_SOCKETS + " sockets, not " + sockets);
        }
        if (duration.isZero() || calm.isZero() || rate <= 0 || opensAtOnce < 1 || opens <= 0) {
            throw new LoadException("--duration, --calm, --rate, --opens-at-once and --opens must be more than 0");
        }
    }

    private @Nullable InetAddress source() {
        if (from == null) {
            return null;
        }
        try {
            return InetAddress.getByName(from);
        } catch (UnknownHostException e) {
            throw new LoadException("The address '" + from + "' cannot be resolved: correct --from", e);
        }
    }
}
