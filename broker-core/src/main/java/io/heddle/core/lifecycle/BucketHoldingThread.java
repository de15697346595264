package io.heddle.core.lifecycle;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.cluster.Membership;
import io.heddle.core.cluster.NodeOverException;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.watchdog.WatchedThread;
import io.heddle.core.watchdog.WatchedThreads;
import java.util.concurrent.Executors;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Announces that this node serves, and runs {@link BucketHolding} on a thread of its own: when a step is answered, when the view changes, and
 * every {@value #PAUSE_MILLIS} ms for steps that wait for work to end. The record with which the node leaves gives its buckets back.
 */
public final class BucketHoldingThread implements StartupPhase {
    private static final Logger log = LoggerFactory.getLogger(BucketHoldingThread.class);
    private static final long PAUSE_MILLIS = 20;

    private final Membership membership;
    private final BucketHolding holding;
    private final WatchedThread watched;
    private @Nullable ScheduledExecutorService thread;
    // Of the thread.
    private boolean isRetrying;

    /** @param membership has joined */
    public BucketHoldingThread(Membership membership, BucketHolding holding, WatchedThreads threads) {
        this.membership = membership;
        this.holding = holding;
        this.watched = threads.add("heddle-holding");
    }

    @Override
    public String name() {
        return "the taking of buckets";
    }

    @Override
    public void start() {
        ScheduledExecutorService started = Executors.newSingleThreadScheduledExecutor(
                Thread.ofPlatform().daemon().name("heddle-holding").factory());
        thread = started;
        holding.onProgress(() -> wake(started));
        wake(started);
        try {
            membership.write(new Serving(membership.incarnation()));
        } catch (NodeOverException | StoreUnavailableException e) {
            stop();
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            stop();
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        }
    }

    private void wake(ScheduledExecutorService started) {
        try {
            started.execute(() -> advance(started));
        } catch (RejectedExecutionException e) {
            log.trace("The node stops", e);
        }
    }

    /** Steps that wait for something else than an answer are tried again and again. Without steps, a record of the log of nodes wakes the thread. */
    private void advance(ScheduledExecutorService started) {
        watched.begin();
        try {
            holding.advance();
        } catch (RuntimeException failure) {
            log.error("Could not take or release buckets; retrying", failure);
        } finally {
            watched.end();
        }
        if (holding.hasSteps() && !isRetrying) {
            isRetrying = true;
            var _ = started.schedule(
                    () -> {
                        isRetrying = false;
                        advance(started);
                    },
                    PAUSE_MILLIS,
                    TimeUnit.MILLISECONDS);
        }
    }

    @Override
    public void stop() {
        ScheduledExecutorService stopped = thread;
        thread = null;
        if (stopped != null) {
            stopped.shutdownNow();
        }
    }
}
