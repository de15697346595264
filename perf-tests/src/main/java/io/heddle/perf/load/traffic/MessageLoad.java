package io.heddle.perf.load.traffic;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.heddle.perf.load.client.Connection;
import io.heddle.perf.load.client.Connector;
import io.heddle.perf.load.client.IdleRole;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.client.Subscribe;
import io.heddle.perf.load.process.Costs;
import io.heddle.perf.load.report.Figures;
import io.heddle.perf.load.report.Report;
import io.heddle.perf.load.wire.PublishTemplate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;

/**
 * A load of publishers and subscribers: connects them, warms up, measures, waits for outstanding messages, and counts. Owner: the thread
 * that calls {@link #run}.
 */
public final class MessageLoad {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final long NANOS_PER_MILLI = 1_000_000;
    private static final long LONGEST_WAIT_NANOS = 100 * NANOS_PER_MILLI;
    private static final long BREAKS_WATCHED_NANOS = 1_000 * NANOS_PER_MILLI;
    // The selector's timeout has this resolution; shorter waits poll without sleeping.
    private static final long SPIN_NANOS = 2 * NANOS_PER_MILLI;

    private final MessagePlan plan;
    private final BrokerAccess access;
    private final MeasurementPlan measured;
    private final Consumer<String> progress;
    private final Traffic traffic;
    private final Publisher[] publishers;
    private long nextCheckNanos;
    private long abandonNanos;

    /**
     * A load that has not started.
     *
     * @param run a number that is unique among invocations at the same broker
     * @param progress receives lines for the user
     */
    public MessageLoad(
            MessagePlan plan, BrokerAccess access, MeasurementPlan measured, int run, Consumer<String> progress) {
        this.plan = plan;
        this.access = access;
        this.measured = measured;
        this.progress = progress;
        traffic = new Traffic(plan, run);
        publishers = new Publisher[plan.groups().publishers()];
        byte[] payload = ".".repeat(plan.payloadBytes()).getBytes(US_ASCII);
        for (int number = 0; number < publishers.length; number++) {
            publishers[number] = new Publisher(
                    traffic,
                    number,
                    new PublishTemplate(access.version(), plan.topicOf(number), plan.qos(), plan.retain(), payload));
        }
    }

    /** Runs the load. Throws {@link io.heddle.perf.load.LoadException} if it cannot start. */
    public Report run() {
        List<Figures> runs = new ArrayList<>();
        try (NetworkLoop loop = new NetworkLoop()) {
            Connector connector = new Connector(loop, access.connectsAtOnce(), PATIENCE);
            forgetSessions(connector);
            List<Connection> connections = connect(connector);
            Costs costs = new Costs(measured.processes());
            long now = System.nanoTime();
            traffic.start(now);
            progress.accept("Warming up for " + measured.warmUp().toSeconds() + " s");
            boolean whole = runUntil(loop, now + measured.warmUp().toNanos());
            for (int run = 1; whole && run <= measured.runs(); run++) {
                progress.accept("Run " + run + " of " + measured.runs());
                Measurement measurement = new Measurement(traffic, loop, costs);
                whole = runUntil(loop, System.nanoTime() + measured.duration().toNanos());
                if (whole) {
                    runs.add(measurement.end());
                }
            }
            traffic.stop();
            drain(loop, connections);
            connector.disconnect(connections);
            if (traffic.broken() == 0) {
                forgetSessions(connector);
            }
        }
        return new Report(plan.name(), runs, Verdict.totals(traffic), Verdict.faults(traffic, access.version()));
    }

    /** Ends persistent sessions: queued messages of earlier invocations would distort the figures, and those of this one would be left. */
    private void forgetSessions(Connector connector) {
        IdleRole role = new IdleRole(reason -> {});
        if (plan.subscribersPersist()) {
            connector.disconnect(connector.connect(
                    plan.groups().subscribers(),
                    number -> new Connector.Client(access.plan(plan.subscriber(number), false, null, 0), role)));
        }
        if (plan.publishersPersist()) {
            connector.disconnect(connector.connect(
                    publishers.length,
                    number -> new Connector.Client(access.plan(plan.publisher(number), false, null, 0), role)));
        }
    }

    private List<Connection> connect(Connector connector) {
        progress.accept("Connecting " + plan.groups().subscribers() + " subscribers and " + publishers.length
                + " publishers to " + access.brokers());
        List<Connection> all = new ArrayList<>(connector.connect(
                plan.groups().subscribers(),
                number -> new Connector.Client(
                        access.plan(
                                plan.subscriber(number),
                                plan.subscribersPersist(),
                                new Subscribe(plan.filterOf(number), plan.qos()),
                                0),
                        new Subscriber(traffic, number))));
        List<Connection> publishing = connector.connect(
                publishers.length,
                number -> new Connector.Client(
                        access.plan(plan.publisher(number), plan.publishersPersist(), null, plan.qos()),
                        publishers[number]));
        for (int number = 0; number < publishers.length; number++) {
            publishers[number].connected(publishing.get(number));
        }
        all.addAll(publishing);
        return all;
    }

    /** Returns false if connections broke. The load then continues for a short time, to count how many break. */
    private boolean runUntil(NetworkLoop loop, long deadlineNanos) {
        for (long now = System.nanoTime(); now - deadlineNanos < 0; now = System.nanoTime()) {
            if (now - nextCheckNanos >= 0) {
                nextCheckNanos = now + LONGEST_WAIT_NANOS;
                traffic.giveUp(now);
                if (traffic.broken() > 0 && abandonNanos == 0) {
                    abandonNanos = now + BREAKS_WATCHED_NANOS;
                }
                if (traffic.broken() > 0 && now - abandonNanos >= 0) {
                    return false;
                }
            }
            traffic.pump(publishers, now);
            long until = Math.min(LONGEST_WAIT_NANOS, deadlineNanos - now);
            until = Math.min(until, traffic.nextDueNanos(now + until) - now);
            loop.turn(until < SPIN_NANOS && plan.isPaced() ? 0 : Math.max(1, until / NANOS_PER_MILLI - 1));
        }
        // Messages that came due during the last turn.
        traffic.pump(publishers, deadlineNanos);
        return traffic.broken() == 0;
    }

    /** Waits until no message and no QoS 2 exchange is outstanding, or until there is no more progress. */
    private void drain(NetworkLoop loop, List<Connection> connections) {
        long outstanding = outstanding(connections);
        long progressNanos = System.nanoTime();
        while (traffic.broken() == 0 && outstanding > 0) {
            loop.turn(1);
            long before = outstanding;
            outstanding = outstanding(connections);
            if (outstanding != before) {
                progressNanos = System.nanoTime();
            } else if (System.nanoTime() - progressNanos > plan.giveUp().toNanos()) {
                break;
            }
        }
    }

    private long outstanding(List<Connection> connections) {
        long unreleased = 0;
        for (Connection connection : connections) {
            unreleased += connection.unreleased();
        }
        return traffic.flows().missing() + traffic.unacknowledged() + unreleased;
    }
}
