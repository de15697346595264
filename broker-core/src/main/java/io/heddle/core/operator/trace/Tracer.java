package io.heddle.core.operator.trace;

import io.heddle.core.client.ClientEvents;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.operator.query.NodeQuestions;
import io.heddle.core.operator.query.QuestionKind;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/** Begins traces on all nodes, and answers the questions of other nodes for the events of this one. Thread-safe. */
public final class Tracer {
    private static final int ENCODED_SHARE = 2;

    private final NodeQuestions questions;
    private final SteadyClock clock;
    private final LongSupplier nanoTime;
    private final Pause pause;
    private volatile @Nullable NodeTraces own;

    /** Waits. */
    @FunctionalInterface
    interface Pause {
        void await(Duration time) throws InterruptedException;
    }

    public Tracer(NodeQuestions questions, SteadyClock clock) {
        this(questions, clock, System::nanoTime, time -> {
            var _ = new CountDownLatch(1).await(time.toNanos(), TimeUnit.NANOSECONDS);
        });
    }

    /**
     * Creates the tracer of a node with a time of its own.
     *
     * @param nanoTime the monotonic clock, in nanoseconds
     * @param pause lets the time between two questions pass
     */
    Tracer(NodeQuestions questions, SteadyClock clock, LongSupplier nanoTime, Pause pause) {
        this.questions = questions;
        this.clock = clock;
        this.nanoTime = nanoTime;
        this.pause = pause;
    }

    /** Answers the questions of all nodes about the clients of this one. Called once. */
    public void answer(ClientEvents events, MeterRegistry metrics) {
        // The encoded text of an event may have more bytes than the estimate.
        NodeTraces traces = new NodeTraces(events, clock, nanoTime, questions.maximumBytes() / ENCODED_SHARE, metrics);
        own = traces;
        questions.answer(
                QuestionKind.TRACE,
                (question, maximumBytes) ->
                        traces.answer(TraceFormat.QUESTION.decode(question)).encode(maximumBytes));
    }

    /**
     * Begins a trace on all nodes. Blocks for some seconds at most, so not on an event loop. The caller closes the trace.
     *
     * @throws TooManyTracesException if a node, or the administrator, has its maximum of traces
     * @throws io.heddle.core.StoreUnavailableException if this node does not answer itself
     */
    public ClusterTrace begin(TraceRequest request) {
        ClusterTrace trace = new ClusterTrace(questions, request, clock, nanoTime, pause);
        trace.begin();
        return trace;
    }

    /** Returns the traces that run at this node, which are those of all administrators at any node; the oldest first. */
    public List<RunningTrace> running() {
        NodeTraces traces = own;
        return traces == null ? List.of() : traces.running();
    }

    /**
     * Ends a trace on all nodes, if it runs.
     *
     * @param administrator who ends it, which the last event says
     */
    public void end(UUID id, String administrator) {
        NodeTraces traces = own;
        if (traces != null) {
            traces.end(id, administrator);
        }
    }
}
