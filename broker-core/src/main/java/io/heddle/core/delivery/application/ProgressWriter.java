package io.heddle.core.delivery.application;

import io.heddle.core.FailureLog;
import io.heddle.core.client.EventLoop;
import io.heddle.core.cluster.RoutingLease;
import io.heddle.core.delivery.log.LeaseGate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the progress of one connection asynchronously. Belongs to the connection's event loop. Acknowledgements are batched for {@code
 * BATCH_DELAY}; progress that a task waits for is written at once. Bound: one write is in flight at a time, and later changes go into the
 * next one, so that an outage of the store queues one record.
 */
final class ProgressWriter {
    private static final Logger log = LoggerFactory.getLogger(ProgressWriter.class);

    private static final Duration BATCH_DELAY = Duration.ofMillis(100);

    private final ProgressLog progress;
    private final ApplicationLogs logs;
    private final ProgressKey key;
    private final EventLoop eventLoop;
    private final Supplier<Progress> current;
    private final Consumer<String> onLost;
    // For tasks whose progress is durable.
    private final LeaseGate gate;

    private List<Runnable> waiting = new ArrayList<>(1);
    private boolean changed;
    private boolean scheduled;
    private boolean inFlight;
    private boolean ended;
    private final CompletableFuture<Void> passedOn = new CompletableFuture<>();

    /**
     * @param current supplies the current progress
     * @param onLost called with the reason when progress cannot be written any more
     */
    ProgressWriter(
            ProgressLog progress,
            ApplicationLogs logs,
            ProgressKey key,
            EventLoop eventLoop,
            Supplier<Progress> current,
            Consumer<String> onLost,
            RoutingLease lease) {
        this.progress = progress;
        this.logs = logs;
        this.key = key;
        this.eventLoop = eventLoop;
        this.current = current;
        this.onLost = onLost;
        this.gate = new LeaseGate(lease, eventLoop);
    }

    /** Schedules a write. A crash may lose it, and then the acknowledged messages are redelivered. */
    void changed() {
        eventLoop.assertCurrent();
        changed = true;
        schedule();
    }

    /**
     * Writes the current progress at once. Runs a task when it is durable and this node knows that no other one has taken over before: that
     * node would have restored an earlier progress.
     */
    void write(Runnable onDurable) {
        eventLoop.assertCurrent();
        waiting.add(onDurable);
        writeNext();
    }

    private void schedule() {
        if (!scheduled && !inFlight) {
            scheduled = true;
            eventLoop.schedule(BATCH_DELAY, () -> {
                scheduled = false;
                if (changed && !ended) {
                    writeNext();
                }
            });
        }
    }

    private void writeNext() {
        if (inFlight) {
            return;
        }
        inFlight = true;
        changed = false;
        List<Runnable> tasks = waiting;
        waiting = new ArrayList<>(1);
        Progress written = current.get();
        progress.write(key, written)
                .whenComplete((_, failure) -> eventLoop.execute(() -> {
                    if (failure == null) {
                        onWritten(written, tasks);
                    } else {
                        onFailed(failure);
                    }
                }));
    }

    private void onWritten(Progress durable, List<Runnable> tasks) {
        inFlight = false;
        logs.acknowledged(key.clientId(), key.generation(), durable.lowest());
        if (ended) {
            return;
        }
        tasks.forEach(gate::pass);
        if (!waiting.isEmpty()) {
            writeNext();
        } else if (changed) {
            schedule();
        }
    }

    private void onFailed(Throwable failure) {
        inFlight = false;
        if (!ended) {
            FailureLog.warn(
                    log,
                    "Cannot append acknowledgements to heddle.progress; disconnecting the client, clientId="
                            + key.clientId(),
                    failure);
            onLost.accept("its acknowledgements could not be stored");
        }
    }

    /** Completes, after {@link #end}, when other nodes find the last progress, or it is lost. */
    CompletionStage<Void> whenPassedOn() {
        return passedOn;
    }

    /** Writes the last progress of a connection that ends. */
    void end(Progress last) {
        eventLoop.assertCurrent();
        ended = true;
        gate.end();
        progress.write(key, last).whenComplete((_, failure) -> {
            passedOn.complete(null);
            if (failure == null) {
                logs.acknowledged(key.clientId(), key.generation(), last.lowest());
            } else {
                FailureLog.warn(
                        log,
                        "Cannot append the last acknowledgements to heddle.progress; they are redelivered, clientId="
                                + key.clientId(),
                        failure);
            }
        });
    }
}
