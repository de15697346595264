package io.heddle.core.operator.query;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Queue;
import java.util.concurrent.ConcurrentLinkedQueue;

/**
 * Nodes that ask each other, from any thread. A test decides when frames arrive, when handlers run, and what time it is.
 */
public final class AskingCluster {
    public static final int MAXIMUM_PAYLOAD_BYTES = 10_000;

    public final InMemoryLinks links = new InMemoryLinks(2, MAXIMUM_PAYLOAD_BYTES, 1 << 20);
    public final ManualEventLoop timers = new ManualEventLoop(0);
    public final TestView log = new TestView(4);
    public final MeterRegistry metrics = new SimpleMeterRegistry();
    private final Map<Incarnation, NodeQuestions> nodes = new HashMap<>();
    private final Queue<Runnable> tasks = new ConcurrentLinkedQueue<>();

    public Incarnation serve(String id) {
        Incarnation joined = log.serve(id);
        NodeQuestions questions = new NodeQuestions(links.node(joined), timers, tasks::add, metrics);
        questions.onJoined(joined, log.view());
        nodes.keySet().forEach(other -> links.connect(other, joined));
        nodes.put(joined, questions);
        nodes.values().forEach(each -> each.onView(log.view()));
        return joined;
    }

    public NodeQuestions of(Incarnation node) {
        return Objects.requireNonNull(nodes.get(node));
    }

    /** Runs handlers and delivers frames until nothing is left to do. */
    public void run() {
        boolean busy = true;
        while (busy) {
            busy = links.deliver() > 0;
            busy |= runTasks() > 0;
        }
    }

    int runTasks() {
        int ran = 0;
        for (Runnable task = tasks.poll(); task != null; task = tasks.poll()) {
            task.run();
            ran++;
        }
        return ran;
    }

    public double counted(String outcome) {
        return metrics.counter("heddle.cluster.questions", "outcome", outcome).count();
    }
}
