package io.heddle.app.wiring;

import io.heddle.core.cluster.NodeOverException;
import io.heddle.core.lifecycle.BrokerCore;
import io.heddle.core.lifecycle.BucketHolding;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.lifecycle.StartupPhase;
import io.heddle.core.node.ClusterRoutes;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Takes this node's share of the buckets: waits for its links, lets it take part in the routing of messages, announces that it serves, and
 * waits until each bucket has a holder. Started and stopped by one thread at a time.
 */
final class BucketShare {
    private static final Logger log = LoggerFactory.getLogger(BucketShare.class);
    private static final long PAUSE_MILLIS = 20;
    private static final int SESSIONS_IN_A_RUN = 1_000;
    /** The housekeeping runs every 100 ms, as often as while the node serves. */
    private static final int PAUSES_OF_A_RUN = 5;

    private final ClusterStartup cluster;
    private final ClusterRoutes routes;
    private final BrokerCore core;
    private final ReplicaCatchUp replica;
    private final Duration timeout;
    private @Nullable StartupPhase started;

    /** @param timeout the longest wait for the other nodes, and for the buckets */
    BucketShare(
            ClusterStartup cluster, ClusterRoutes routes, BrokerCore core, ReplicaCatchUp replica, Duration timeout) {
        this.cluster = cluster;
        this.routes = routes;
        this.core = core;
        this.replica = replica;
        this.timeout = timeout;
    }

    /** @throws StartupException if another node or a store does not answer in time */
    void start() {
        try {
            BucketHolding holding = cluster.holding(core);
            cluster.steadyLinks().await();
            enter(holding);
            core.warnOfExceededLimits();
            StartupPhase starting = cluster.bucketHolding(holding);
            starting.start();
            started = starting;
            awaitBuckets(holding::isSettled);
        } catch (NodeOverException e) {
            throw new StartupException(String.valueOf(e.getMessage()), e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("The start was interrupted", e);
        } finally {
            if (Thread.currentThread().isInterrupted()) {
                stop();
            }
        }
    }

    private void enter(BucketHolding holding) throws InterruptedException {
        answer(routes.enter());
        replica.readToEnds(holding::fenceEnded);
        answer(routes.whenInStep());
    }

    private void answer(CompletionStage<Void> stage) throws InterruptedException {
        try {
            var _ = stage.toCompletableFuture().get(timeout.toNanos(), TimeUnit.NANOSECONDS);
        } catch (TimeoutException e) {
            throw new StartupException(
                    "Another node has not answered over its link within " + timeout.toSeconds()
                            + " s: look at `linkUp` in /api/v1/nodes, and check that the nodes reach each other at their link"
                            + " addresses (heddle.cluster.port, heddle.cluster.advertise)",
                    e);
        } catch (ExecutionException e) {
            throw new IllegalStateException("the exchange with the other nodes failed", e);
        }
    }

    private void awaitBuckets(BooleanSupplier isSettled) throws InterruptedException {
        long beginNanos = System.nanoTime();
        for (int pauses = 1; !isSettled.getAsBoolean(); pauses++) {
            if (System.nanoTime() - beginNanos > timeout.toNanos()) {
                String fault = core.bucketWriter().fault();
                stop();
                throw new StartupException(
                        "The buckets have no holders after " + timeout.toSeconds() + " s"
                                + (fault == null
                                        ? ": look at the logs of Kafka, Redis and the other nodes"
                                        : ": " + fault),
                        null);
            }
            var _ = new CountDownLatch(1).await(PAUSE_MILLIS, TimeUnit.MILLISECONDS);
            if (pauses % PAUSES_OF_A_RUN == 0) {
                repeatCommits();
            }
        }
        log.info("Each bucket has a holder: ms={}", TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - beginNanos));
    }

    /** A bucket can be released only when its wills and session records are committed: repeats the commits that have failed. */
    private void repeatCommits() {
        try {
            core.housekeeping().run(SESSIONS_IN_A_RUN);
        } catch (RuntimeException failure) {
            log.error("Could not retry failed commits of sessions during the start; retrying", failure);
        }
    }

    void stop() {
        StartupPhase stopped = started;
        started = null;
        if (stopped != null) {
            stopped.stop();
        }
    }
}
