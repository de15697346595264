package io.heddle.app.drain;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Drains this node before it stops: it is not ready any more, accepts no more connections, gives its buckets to the other nodes while its
 * clients are connected, and then closes its connections at a set rate, so that the other nodes are not flooded. A node that no other one can
 * replace is not drained, because its clients would have nowhere to go; so a cluster that stops as a whole stops at once. One thread calls
 * {@link #run}, once; any thread the other methods.
 *
 * <p>Metric: {@code heddle.drain.closed}.
 */
public final class Drain {
    private static final Logger log = LoggerFactory.getLogger(Drain.class);
    private static final Duration ANNOUNCED_WITHIN = Duration.ofSeconds(2);
    private static final Duration HANDED_OVER_WITHIN = Duration.ofSeconds(10);
    private static final Duration HAND_OVER_POLL = Duration.ofMillis(20);
    private static final int TURNS_PER_SECOND = 10;

    private final DrainSettings settings;
    private final Cluster cluster;
    private final Clients clients;
    private final LongSupplier nanoTime;
    private final Pause pause;
    private final Counter closed;

    /** The cluster as this node sees it. Any thread; does not block, except in {@link #announce}. */
    public interface Cluster {
        /** Returns whether another non-draining member holds buckets, and so serves clients. False if this node is over, or is no member. */
        boolean doOthersServe();

        /** Returns whether this node holds no bucket any more, and each bucket has a holder. */
        boolean isHandedOver();

        /** Returns the addresses of other nodes for one client after another, from now on; each is null if none is known. */
        Supplier<@Nullable String> otherServers();

        /** Ends the readiness of this node, and writes to the log of nodes that it drains. Blocks no longer than this. */
        void announce(Duration atMost) throws InterruptedException;
    }

    public interface Clients {
        /**
         * Accepts no more connections.
         *
         * @param serverReference returns another server for a client of MQTT 5.0, or null; called for each client
         * @return closes at most so many connections, and returns how many; 0 if none is left
         */
        IntUnaryOperator stopListening(Supplier<@Nullable String> serverReference);
    }

    /** Lets time pass. */
    @FunctionalInterface
    public interface Pause {
        void await(Duration time) throws InterruptedException;
    }

    public Drain(
            DrainSettings settings,
            Cluster cluster,
            Clients clients,
            LongSupplier nanoTime,
            Pause pause,
            MeterRegistry registry) {
        this.settings = settings;
        this.cluster = cluster;
        this.clients = clients;
        this.nanoTime = nanoTime;
        this.pause = pause;
        this.closed = Counter.builder("heddle.drain.closed")
                .description("Connections closed because this node was drained")
                .register(registry);
    }

    /** Returns the maximum duration of a drain that would begin now. */
    public Duration limit() {
        return cluster.doOthersServe() ? ANNOUNCED_WITHIN.plus(settings.limit()) : Duration.ZERO;
    }

    /** Drains the node and returns at the latest after the limit. Connections that are left then are closed by the stop. */
    public void run() {
        if (!cluster.doOthersServe()) {
            return;
        }
        try {
            cluster.announce(ANNOUNCED_WITHIN);
            long deadline = nanoTime.getAsLong() + settings.limit().toNanos();
            log.info(
                    "Draining this node: rate={}, delay={}, limit={}",
                    settings.rate(),
                    settings.delay(),
                    settings.limit());
            awaitDelay();
            IntUnaryOperator connections = clients.stopListening(serverReference());
            awaitHandOver(deadline);
            closeConnections(connections, deadline);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitDelay() throws InterruptedException {
        long end = nanoTime.getAsLong() + settings.delay().toNanos();
        while (nanoTime.getAsLong() - end < 0 && cluster.doOthersServe()) {
            pause.await(Duration.ofSeconds(1).dividedBy(TURNS_PER_SECOND));
        }
    }

    private Supplier<@Nullable String> serverReference() {
        return settings.reference() == null ? cluster.otherServers() : settings::reference;
    }

    /** The clients stay connected meanwhile, so they do not notice. Clients that connect elsewhere find holders that stay. */
    private void awaitHandOver(long deadline) throws InterruptedException {
        long begin = nanoTime.getAsLong();
        long end = Math.min(begin + HANDED_OVER_WITHIN.toNanos(), deadline);
        while (!cluster.isHandedOver()) {
            if (nanoTime.getAsLong() - end >= 0) {
                log.warn(
                        "The other nodes have not taken all buckets of this node yet; closing its connections all the same");
                return;
            }
            if (!cluster.doOthersServe()) {
                return;
            }
            pause.await(HAND_OVER_POLL);
        }
        log.info(
                "The other nodes hold the buckets of this node: ms={}",
                Duration.ofNanos(nanoTime.getAsLong() - begin).toMillis());
    }

    private void closeConnections(IntUnaryOperator connections, long deadline) throws InterruptedException {
        int perTurn = Math.max(1, settings.rate() / TURNS_PER_SECOND);
        Duration turn = Duration.ofSeconds(1).multipliedBy(perTurn).dividedBy(settings.rate());
        int count = 0;
        while (cluster.doOthersServe()) {
            int now = connections.applyAsInt(perTurn);
            count += now;
            closed.increment(now);
            if (now == 0) {
                log.info("All clients are told to use another node: count={}", count);
                return;
            }
            if (deadline - nanoTime.getAsLong() <= turn.toNanos()) {
                log.warn(
                        "The drain has reached heddle.drain.limit; closing the other connections at once: closed={}",
                        count);
                return;
            }
            pause.await(turn);
        }
        log.info("No other node serves any more; closing the other connections at once: closed={}", count);
    }
}
