package io.heddle.core.simulation;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** Runs seeds and describes the failures. A failing seed is run again with its lines noted, of which the last ones are printed. */
final class SimulationRunner {
    private static final int PRINTED_LINES = Integer.getInteger("heddle.test.lines", 60);
    private static final int MAXIMUM_FAILURES = 5;

    private final Set<Mistake> mistakes;
    private final Map<Fault, Integer> happened = new EnumMap<>(Fault.class);
    private long steps;
    private long messages;
    private long deliveries;
    private long wills;

    SimulationRunner(Set<Mistake> mistakes) {
        this.mistakes = mistakes;
    }

    /** Runs this number of seeds, or the one that is set. Returns the failures. */
    List<String> run(int seeds) {
        Long only = Long.getLong("heddle.test.seed");
        List<String> failures = new ArrayList<>();
        long startNanos = System.nanoTime();
        long first = only == null ? 1 : only;
        long last = only == null ? seeds : only;
        for (long seed = first; seed <= last && failures.size() < MAXIMUM_FAILURES; seed++) {
            String failure = run(seed, true);
            if (failure != null) {
                failures.add(failure);
            }
        }
        double seconds = (System.nanoTime() - startNanos) / 1e9;
        System.out.printf(
                "%d seeds, %d steps in %.1f s: %.0f steps/s; %d acknowledged messages, %d deliveries, %d wills; %s%n",
                last - first + 1, steps, seconds, steps / seconds, messages, deliveries, wills, happened);
        return failures;
    }

    /** Returns the first of this number of seeds that fails, or -1. Prints nothing but the failure. */
    long firstFailure(int seeds) {
        for (long seed = 1; seed <= seeds; seed++) {
            String failure = run(seed, false);
            if (failure != null) {
                System.out.printf("%s is found by %s%n", mistakes, failure);
                return seed;
            }
        }
        return -1;
    }

    /** Returns the description of the failure, or null. A run has a thread of its own, with which its thread-local plans end. */
    private @Nullable String run(long seed, boolean printing) {
        AtomicReference<@Nullable String> failed = new AtomicReference<>();
        Thread thread = Thread.ofPlatform()
                .name("seed-" + seed)
                .uncaughtExceptionHandler((_, error) -> {
                    error.printStackTrace(System.out);
                    failed.set("seed " + seed + ": " + error);
                })
                .start(() -> failed.set(runHere(seed, printing)));
        try {
            thread.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return "interrupted";
        }
        return failed.get();
    }

    private @Nullable String runHere(long seed, boolean printing) {
        try {
            Simulation.Result result = new Simulation(seed, mistakes, false).run();
            report(result);
            return null;
        } catch (SimulationFailure failure) {
            if (printing) {
                print(seed, failure);
            }
            return String.valueOf(failure.getMessage());
        }
    }

    private synchronized void report(Simulation.Result result) {
        steps += result.steps();
        messages += result.acknowledged();
        deliveries += result.deliveries();
        wills += result.wills();
        result.faults().forEach((fault, times) -> happened.merge(fault, times, Integer::sum));
    }

    private void print(long seed, SimulationFailure failure) {
        Simulation again = new Simulation(seed, mistakes, true);
        try {
            again.run();
        } catch (SimulationFailure repeated) {
            // The same failure, now with its lines, unless a line itself fails.
            if (!String.valueOf(repeated.getMessage()).equals(failure.getMessage())) {
                repeated.printStackTrace(System.out);
            }
        }
        List<String> lines = again.traced();
        lines.subList(Math.max(0, lines.size() - PRINTED_LINES), lines.size()).forEach(System.out::println);
        System.out.println(failure.getMessage());
        if (failure.getCause() != null && !(failure.getCause() instanceof SimulationFailure)) {
            failure.getCause().printStackTrace(System.out);
        }
        System.out.println("replay: ./mvnw -pl broker-core -am test -Dtest=SimulationTest#noPromiseIsBroken"
                + " -Dsurefire.failIfNoSpecifiedTests=false -Dheddle.test.seed=" + seed + " -Dheddle.test.lines="
                + lines.size());
    }
}
