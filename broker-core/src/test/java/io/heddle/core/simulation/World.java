package io.heddle.core.simulation;

import java.util.ArrayDeque;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.PriorityQueue;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.jspecify.annotations.Nullable;

/**
 * The clock, the random generator and the events of one run. Each step runs the earliest event; the generator chooses among events that are
 * due at the same time, and all delays. Bound: {@value #MAXIMUM_STEPS} steps.
 */
public final class World {
    /** The time of day at the beginning. */
    public static final long START_MILLIS = 1_800_000_000_000L;

    private static final long MAXIMUM_STEPS = 20_000_000;
    private static final int TRACED_LINES = 100_000;

    private final RandomGenerator random;
    private final SimProcess environment = new SimProcess("environment");
    private final PriorityQueue<Event> events =
            new PriorityQueue<>(Comparator.comparingLong(Event::dueNanos).thenComparingInt(Event::priority));
    private final Set<Mistake> mistakes = EnumSet.noneOf(Mistake.class);
    private final @Nullable ArrayDeque<String> trace;
    private long nanos;
    private long steps;
    private long digest;
    private @Nullable Object current;

    /** An event of a process. */
    record Event(long dueNanos, int priority, SimProcess process, Runnable task) {}

    /** A wait was interrupted, because the waiting process is dead. */
    public static final class ProcessKilled extends RuntimeException {
        private static final long serialVersionUID = 1;

        private ProcessKilled(SimProcess process) {
            super(process + " was killed while it waited", null, false, false);
        }
    }

    /**
     * @param tracing whether to keep the lines of {@link #trace}
     * @param planted mistakes of the stores' adapters
     */
    public World(long seed, boolean tracing, Set<Mistake> planted) {
        this.random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        this.trace = tracing ? new ArrayDeque<>() : null;
        this.mistakes.addAll(planted);
    }

    public RandomGenerator random() {
        return random;
    }

    /** Returns whether a mistake is planted in this run. */
    public boolean has(Mistake mistake) {
        return mistakes.contains(mistake);
    }

    /** The process of Kafka, Redis, the network and the clients, which is never killed. */
    public SimProcess environment() {
        return environment;
    }

    public long nanoTime() {
        return nanos;
    }

    /** The time of day. */
    public long millis() {
        return START_MILLIS + TimeUnit.NANOSECONDS.toMillis(nanos);
    }

    public long steps() {
        return steps;
    }

    /** A number that depends on every step of the run, to compare two runs of a seed. */
    public long digest() {
        return digest;
    }

    /** Returns true once in this many calls, on average. */
    public boolean oneIn(int times) {
        return random.nextInt(times) == 0;
    }

    /** A delay of a typical call in a data centre: mostly short, rarely long. In microseconds. */
    public long delay() {
        if (oneIn(200)) {
            return random.nextLong(5_000, 80_000);
        }
        return random.nextLong(50, 1_500);
    }

    /** Runs a task of a process after a delay in microseconds. */
    public void after(SimProcess process, long micros, Runnable task) {
        at(process, nanos + micros * 1_000, task);
    }

    /** Runs a task of a process at a time of {@link #nanoTime}. */
    public void at(SimProcess process, long dueNanos, Runnable task) {
        if (!process.isDead()) {
            events.add(new Event(Math.max(dueNanos, nanos), random.nextInt(), process, task));
        }
    }

    void resume(List<Event> parked) {
        long due = nanos;
        for (Event event : parked) {
            // A nanosecond apart, so that they keep their order.
            events.add(new Event(due++, event.priority(), event.process(), event.task()));
        }
    }

    /** Runs the next event. Returns false when there is none. */
    public boolean step() {
        Event event = events.poll();
        if (event == null) {
            return false;
        }
        nanos = Math.max(nanos, event.dueNanos());
        if (event.process().isDead()) {
            return true;
        }
        if (event.process().isFrozen()) {
            event.process().park(event);
            return true;
        }
        steps++;
        if (steps > MAXIMUM_STEPS) {
            throw new SimulationFailure("the run does not end");
        }
        digest = digest * 31 + nanos;
        event.task().run();
        return true;
    }

    /** Runs all events of this time. */
    public void run(long micros) {
        long end = nanos + micros * 1_000;
        for (Event next = events.peek(); next != null && next.dueNanos() <= end; next = events.peek()) {
            var _ = step();
        }
        nanos = end;
    }

    /**
     * Runs events until a condition holds, or the time is over. Returns whether it holds. A process that waits calls it within an event: the
     * events of all processes go on.
     */
    public boolean runUntil(SimProcess waiting, long micros, BooleanSupplier condition) {
        long end = nanos + micros * 1_000;
        Object before = current;
        current = null;
        try {
            while (!condition.getAsBoolean()) {
                Event next = events.peek();
                if (next == null || next.dueNanos() > end) {
                    return false;
                }
                var _ = step();
                if (waiting.isDead()) {
                    throw new ProcessKilled(waiting);
                }
            }
            return true;
        } finally {
            current = before;
        }
    }

    /** Runs a task as the owner of something that checks its thread. */
    public void runAs(Object owner, Runnable task) {
        Object before = current;
        current = owner;
        try {
            task.run();
        } finally {
            current = before;
        }
    }

    /** Returns whether a task of this owner is running. */
    public boolean isCurrent(Object owner) {
        return owner.equals(current);
    }

    /** Notes a line if the run is traced. */
    public void trace(Supplier<String> line) {
        if (trace != null) {
            if (trace.size() == TRACED_LINES) {
                trace.removeFirst();
            }
            trace.addLast("%11.6f %s".formatted(nanos / 1e9, line.get()));
        }
    }

    /** The noted lines. */
    public List<String> traced() {
        return trace == null ? List.of() : List.copyOf(trace);
    }
}
