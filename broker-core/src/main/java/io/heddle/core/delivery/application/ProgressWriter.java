package io.heddle.core.delivery.application;

import io.heddle.core.FailureLog;
import io.heddle.core.client.EventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Writes the progress of one connection behind it. Belongs to the connection's event loop. Acknowledgements are gathered for {@code
 * GATHERING}; what somebody waits for is written at once. One write is under way at a time, and whatever changes meanwhile is in the
 * next: a store that is away holds one record.
 */
final class ProgressWriter {
    private static final Logger log = LoggerFactory.getLogger(ProgressWriter.class);

    private static final Duration GATHERING = Duration.ofMillis(100);

    private final ProgressLog progress;
    private final ApplicationLogs logs;
    private final ProgressKey key;
    private final EventLoop eventLoop;
    private final Supplier<Progress> now;
    private final Consumer<String> lost;

    private List<Runnable> waiting = new ArrayList<>(1);
    private boolean changed;
    private boolean scheduled;
    private boolean underWay;
    private boolean ended;

    /**
     * A writer of a connection that begins.
     *
     * @param now says how far it is
     * @param lost hears that its progress can't be written any more
     */
    ProgressWriter(
            ProgressLog progress,
            ApplicationLogs logs,
            ProgressKey key,
            EventLoop eventLoop,
            Supplier<Progress> now,
            Consumer<String> lost) {
        this.progress = progress;
        this.logs = logs;
        this.key = key;
        this.eventLoop = eventLoop;
        this.now = now;
        this.lost = lost;
    }

    /** Something was acknowledged: it may be forgotten in a crash, and then the client gets it again. */
    void changed() {
        changed = true;
        schedule();
    }

    /** Writes what is true now, and runs this when it outlives a crash. */
    void write(Runnable written) {
        waiting.add(written);
        writeNext();
    }

    private void schedule() {
        if (!scheduled && !underWay) {
            scheduled = true;
            eventLoop.schedule(GATHERING, () -> {
                scheduled = false;
                if (changed && !ended) {
                    writeNext();
                }
            });
        }
    }

    private void writeNext() {
        if (underWay) {
            return;
        }
        underWay = true;
        changed = false;
        List<Runnable> told = waiting;
        waiting = new ArrayList<>(1);
        Progress current = now.get();
        progress.write(key, current)
                .whenComplete((_, failure) -> eventLoop.execute(() -> {
                    if (failure == null) {
                        written(current, told);
                    } else {
                        failed(failure);
                    }
                }));
    }

    private void written(Progress durable, List<Runnable> told) {
        underWay = false;
        logs.acknowledged(key.clientId(), key.generation(), durable.lowest());
        if (ended) {
            return;
        }
        for (Runnable each : told) {
            each.run();
        }
        if (!waiting.isEmpty()) {
            writeNext();
        } else if (changed) {
            schedule();
        }
    }

    private void failed(Throwable failure) {
        underWay = false;
        if (!ended) {
            FailureLog.warn(
                    log, "clientId=" + key.clientId() + ": what it has acknowledged could not be written", failure);
            lost.accept("what it acknowledged could not be remembered");
        }
    }

    /** The connection is over: this is the last that is true of it. */
    void end(Progress last) {
        ended = true;
        progress.write(key, last).whenComplete((_, failure) -> {
            if (failure == null) {
                logs.acknowledged(key.clientId(), key.generation(), last.lowest());
            } else {
                FailureLog.warn(
                        log,
                        "clientId=" + key.clientId() + ": what it has acknowledged last could not be written",
                        failure);
            }
        });
    }
}
