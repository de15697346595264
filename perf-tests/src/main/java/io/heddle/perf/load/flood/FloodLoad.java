package io.heddle.perf.load.flood;

import io.heddle.perf.load.LoadException;
import io.heddle.perf.load.accounting.Phases;
import io.heddle.perf.load.client.ClientPlans;
import io.heddle.perf.load.client.Connector;
import io.heddle.perf.load.client.IdleRole;
import io.heddle.perf.load.client.NetworkLoop;
import io.heddle.perf.load.probe.Probes;
import io.heddle.perf.load.process.MeasuredProcess;
import io.heddle.perf.load.process.ProcessWatch;
import io.heddle.perf.load.report.Figures;
import io.heddle.perf.load.report.Report;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/**
 * A flood and the measurements of well-behaved clients before, during and after it. Owner, except of the attack: the thread that calls
 * {@link #run}.
 */
public final class FloodLoad {
    private static final List<String> PHASES = List.of("before", "during", "after");
    private static final int DURING = 1;
    private static final Duration ENDS_WITHIN = Duration.ofSeconds(60);
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final double BYTES_PER_MEGABYTE = 1e6;
    private static final double NANOS_PER_MILLI = 1e6;

    private final FloodPlan plan;
    private final ClientPlans clients;
    private final ClientPlans attackers;
    private final int run;
    private final Consumer<String> progress;
    private final ProcessWatch watch;
    private final Phases phases = new Phases(PHASES.size());
    private final List<Figures> figures = new ArrayList<>();

    /**
     * A flood that has not started.
     *
     * @param clients plans of the well-behaved clients
     * @param attackers plans of the attackers
     * @param run a number that is unique among invocations at the same broker
     * @param progress receives lines for the user
     */
    public FloodLoad(FloodPlan plan, ClientPlans clients, ClientPlans attackers, int run, Consumer<String> progress) {
        this.plan = plan;
        this.clients = clients;
        this.attackers = attackers;
        this.run = run;
        this.progress = progress;
        watch = new ProcessWatch(plan.processes());
    }

    /** Runs the flood and the measurements. Throws {@link LoadException} if the flood cannot start. */
    public Report run() {
        Map<String, Long> totals = new LinkedHashMap<>();
        List<String> faults;
        try (NetworkLoop loop = new NetworkLoop();
                Attack attack = new Attack(plan, attackers, progress)) {
            progress.accept("Preparing the flood on " + clients.broker());
            attack.prepare();
            Probes probes = new Probes(loop, clients, plan.rate(), run, phases);
            probes.connect(plan.giveUp().multipliedBy(2));
            probes.start(System.nanoTime());
            turnFor(probes, plan.warmUp(), () -> false);
            double heapBefore = heapMegabytes(probes);

            progress.accept("Measuring before the flood for " + plan.calm().toSeconds() + " s");
            measure(probes, plan.calm(), () -> false);
            progress.accept("Flood for " + plan.duration().toSeconds() + " s");
            attack.begin();
            measure(probes, plan.duration().plus(ENDS_WITHIN), attack::hasEnded);
            attack.stop();
            progress.accept("Measuring after the flood for " + plan.calm().toSeconds() + " s");
            measure(probes, plan.calm(), () -> false);

            double heapAfter = heapMegabytes(probes);
            probes.end(watch.death() == null ? plan.giveUp() : Duration.ZERO);
            for (int phase = 0; phase < PHASES.size(); phase++) {
                Figures whole = new Figures();
                probes.addTo(whole, phase);
                figures.get(phase).values().forEach((name, value) -> whole.put(name.text(), name.unit(), value));
                whole.put("heap after GC", "MB", phase == 0 ? heapBefore : phase > DURING ? heapAfter : Double.NaN);
                figures.set(phase, whole);
            }
            probes.addTo(totals);
            totals.putAll(attack.totals());
            faults = faults(probes);
            if (watch.death() == null) {
                cleanUp(loop, attack);
            }
        }
        return new Report(plan.name(), figures, PHASES, totals, faults);
    }

    /** Measures one phase; ends early if the phase is over or the broker has exited. */
    private void measure(Probes probes, Duration duration, BooleanSupplier over) {
        long begin = System.nanoTime();
        phases.begin(begin);
        watch.begin(begin);
        turnFor(probes, duration, over);
        Figures ofPhase = new Figures();
        watch.addTo(ofPhase, System.nanoTime());
        figures.add(ofPhase);
    }

    private void turnFor(Probes probes, Duration duration, BooleanSupplier over) {
        long deadline = System.nanoTime() + duration.toNanos();
        for (long now = System.nanoTime();
                now - deadline < 0 && !over.getAsBoolean() && watch.death() == null;
                now = System.nanoTime()) {
            watch.turn(now);
            probes.turn();
        }
    }

    private List<String> faults(Probes probes) {
        List<String> faults = new ArrayList<>();
        if (watch.death() != null) {
            faults.add(watch.death());
        }
        long lost = probes.lostAcknowledged();
        if (lost > 0) {
            faults.add(lost + " acknowledged QoS 1 messages of well-behaved clients were lost");
        }
        if (plan.requiredP99() != null && probes.worstP99Millis(DURING) > millis(plan.requiredP99())) {
            faults.add(String.format(
                    Locale.ROOT,
                    "p99 during the flood was up to %.1f ms, more than %.0f ms",
                    probes.worstP99Millis(DURING),
                    millis(plan.requiredP99())));
        }
        if (plan.requiredConnect() != null) {
            if (probes.slowestConnectMillis(DURING) > millis(plan.requiredConnect())) {
                faults.add(String.format(
                        Locale.ROOT,
                        "a CONNECT during the flood took %.0f ms, more than %.0f ms",
                        probes.slowestConnectMillis(DURING),
                        millis(plan.requiredConnect())));
            }
            if (probes.failedConnects() > 0) {
                faults.add(probes.failedConnects() + " CONNECTs of well-behaved clients failed");
            }
        }
        return faults;
    }

    /** The broker's heap in use, while the clients continue; NaN if unknown. */
    private double heapMegabytes(Probes probes) {
        if (plan.processes().isEmpty() || watch.death() != null) {
            return Double.NaN;
        }
        MeasuredProcess broker = plan.processes().getFirst();
        CompletableFuture<OptionalLong> heap = new CompletableFuture<>();
        Thread.ofVirtual().name("heap").start(() -> {
            try {
                heap.complete(broker.heapBytesAfterCollection());
            } catch (LoadException unknown) {
                progress.accept(unknown.getMessage());
                heap.complete(OptionalLong.empty());
            }
        });
        turnFor(probes, ENDS_WITHIN.plus(ENDS_WITHIN), heap::isDone);
        OptionalLong bytes = heap.getNow(OptionalLong.empty());
        return bytes.isPresent() ? bytes.getAsLong() / BYTES_PER_MEGABYTE : Double.NaN;
    }

    /** Ends persistent sessions and, unless told otherwise, removes what the attack has left at the broker. */
    private void cleanUp(NetworkLoop loop, Attack attack) {
        try {
            Connector connector = new Connector(loop, 1, PATIENCE);
            IdleRole role = new IdleRole(reason -> {});
            List<String> names = Probes.PERSISTENT_CLIENTS;
            connector.disconnect(connector.connect(
                    names.size(),
                    number -> new Connector.Client(clients.transientClient(names.get(number), null), role)));
            if (!plan.leave()) {
                progress.accept("Removing the sessions and messages of the flood from the broker");
                attack.cleanUp();
            }
        } catch (LoadException e) {
            progress.accept("Some sessions or messages of the flood are left at the broker: " + e.getMessage());
        }
    }

    private static double millis(Duration duration) {
        return duration.toNanos() / NANOS_PER_MILLI;
    }
}
