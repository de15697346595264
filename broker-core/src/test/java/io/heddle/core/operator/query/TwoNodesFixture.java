package io.heddle.core.operator.query;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.session.TestNode;
import io.heddle.core.testkit.InMemoryLinks;
import io.heddle.core.testkit.ManualEventLoop;
import io.heddle.core.testkit.TestView;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;

/** Two nodes that ask each other over links in memory, of which the test asks the first one. */
public abstract class TwoNodesFixture {
    protected final InMemoryLinks links;
    protected final TestView log = new TestView(1);
    protected final ManualEventLoop timers = new ManualEventLoop(0);
    protected final Incarnation a = log.serve("a");
    protected final Incarnation b = log.serve("b");

    @AutoClose("shutdownNow")
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

    protected TwoNodesFixture() {
        this(1 << 20);
    }

    protected TwoNodesFixture(int maximumPayloadBytes) {
        links = new InMemoryLinks(1, maximumPayloadBytes, 1 << 20);
    }

    /** Returns the questions of a node. Those of the second node link it to the first one. */
    protected final NodeQuestions questions(Incarnation self) {
        NodeQuestions created = new NodeQuestions(links.node(self), timers, threads, new SimpleMeterRegistry());
        created.onJoined(self, log.view());
        if (self.equals(b)) {
            links.connect(a, b);
        }
        return created;
    }

    /** Asks on another thread, while this one delivers frames and runs the event loops of these nodes. */
    protected final <T> T ask(Callable<T> question, TestNode... nodes) throws Exception {
        Future<T> result = threads.submit(question);
        while (!result.isDone()) {
            links.deliver();
            for (TestNode node : nodes) {
                node.runAll();
            }
            Thread.onSpinWait();
        }
        try {
            return result.get();
        } catch (ExecutionException failure) {
            throw failure.getCause() instanceof RuntimeException thrown ? thrown : failure;
        }
    }
}
