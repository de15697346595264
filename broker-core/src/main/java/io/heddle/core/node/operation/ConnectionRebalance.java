package io.heddle.core.node.operation;

import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntUnaryOperator;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Closes connections of this node, at a set rate, until it has as many as it was ordered to keep. States: idle → closing → waiting (for the
 * clients that choose this node again) → closing or idle. Confined to one thread, which calls {@link #advance} about ten times a second,
 * except {@link #order}. Bound: an order closes at most twice the connections that are too many when it begins.
 *
 * <p>Metric: {@code heddle.rebalance.closed}.
 */
public final class ConnectionRebalance {
    private static final Logger log = LoggerFactory.getLogger(ConnectionRebalance.class);
    private static final int NONE = -1;
    /** Half of the clients of two nodes may choose this node again; half of these do it once more, and so on. */
    private static final int CLOSED_PER_SURPLUS = 2;

    /** Longer than the close of a connection and the next CONNECT of most clients. */
    private static final Duration WAIT = Duration.ofSeconds(5);

    private final Clients clients;
    private final int perSecond;
    private final LongSupplier nanoTime;
    private final Counter closed;
    private final AtomicInteger ordered = new AtomicInteger(NONE);
    // Of the order in progress.
    private int target = NONE;
    private int left;
    private int closedInAll;
    // Of the present round of closing.
    private IntUnaryOperator connections = _ -> 0;
    private boolean isClosing;
    private int toClose;
    private int closedInRound;
    private long beganNanos;
    private long waitUntilNanos;

    /** The clients of this node. */
    public interface Clients {
        /** Returns the number of open connections. */
        int count();

        /** Returns what closes some of the connections that are open now, and returns how many; 0 if none is left. */
        IntUnaryOperator closing();
    }

    /** @param perSecond the maximum number of connections closed per second */
    public ConnectionRebalance(Clients clients, int perSecond, LongSupplier nanoTime, MeterRegistry registry) {
        this.clients = clients;
        this.perSecond = perSecond;
        this.nanoTime = nanoTime;
        this.closed = Counter.builder("heddle.rebalance.closed")
                .description("Connections closed because this node had more than its share")
                .register(registry);
    }

    /** Orders this node to keep this many connections. A later order replaces it. Any thread. */
    public void order(int connectionsToKeep) {
        ordered.set(connectionsToKeep);
    }

    /**
     * Closes the connections that may be closed now.
     *
     * @return whether a rebalance is in progress, so that more may be closed soon
     */
    public boolean advance() {
        int next = ordered.getAndSet(NONE);
        if (next != NONE) {
            begin(next);
        }
        if (target == NONE) {
            return false;
        }
        long now = nanoTime.getAsLong();
        if (isClosing) {
            close(now);
        } else if (now - waitUntilNanos >= 0) {
            beginRound(now);
        }
        return target != NONE;
    }

    private void begin(int connectionsToKeep) {
        target = connectionsToKeep;
        int surplus = Math.max(0, clients.count() - target);
        left = CLOSED_PER_SURPLUS * surplus;
        closedInAll = 0;
        isClosing = false;
        waitUntilNanos = nanoTime.getAsLong();
        log.info(
                "An administrator rebalances the connections of the cluster: connections={}, target={}, rate={}",
                clients.count(),
                target,
                perSecond);
    }

    private void beginRound(long now) {
        int count = clients.count();
        toClose = Math.min(count - target, left);
        if (toClose > 0) {
            connections = clients.closing();
            isClosing = true;
            closedInRound = 0;
            beganNanos = now;
            close(now);
        } else {
            finish(count);
        }
    }

    private void close(long now) {
        long due = 1 + (now - beganNanos) * perSecond / TimeUnit.SECONDS.toNanos(1);
        int atMost = (int) Math.min(due, toClose) - closedInRound;
        if (atMost <= 0) {
            return;
        }
        int count = connections.applyAsInt(atMost);
        closedInRound += count;
        closedInAll += count;
        left -= count;
        closed.increment(count);
        if (count < atMost || closedInRound == toClose) {
            // Connections that have gone by themselves leave fewer to close.
            left = closedInRound == 0 ? 0 : left;
            isClosing = false;
            connections = _ -> 0;
            waitUntilNanos = now + WAIT.toNanos();
        }
    }

    private void finish(int count) {
        if (count > target) {
            log.warn(
                    "Too many clients connect to this node again after the rebalance; check how they choose a node:"
                            + " connections={}, target={}, closed={}",
                    count,
                    target,
                    closedInAll);
        } else {
            log.info(
                    "The connections of this node are rebalanced: connections={}, target={}, closed={}",
                    count,
                    target,
                    closedInAll);
        }
        target = NONE;
    }
}
