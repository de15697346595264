package io.heddle.core.node.operation;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.Incarnation;
import io.heddle.core.link.FrameReceiver;
import io.heddle.core.link.NodeLinks;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.message.frame.MalformedFrameException;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import java.time.Duration;
import java.util.Collections;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.IntConsumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * What the members report about themselves over their links, and the orders of administrators to rebalance connections. A report is
 * forgotten after {@value #VALID_SECONDS} seconds, unless a newer one replaces it. Thread-safe. Bound: one report for each member.
 */
public final class NodeReports {
    /** Of the frame that orders a node to close connections: a version, and the number of connections that it may keep. */
    static final int REBALANCE_KIND = 0x61;

    private static final int REBALANCE_VERSION = 1;
    private static final int VALID_SECONDS = 5;

    private static final Logger log = LoggerFactory.getLogger(NodeReports.class);

    private final NodeLinks links;
    private final LongSupplier nanoTime;
    private final Counter malformed;
    private volatile IntConsumer onRebalance = _ -> {};
    // Guarded by this.
    private final Map<Incarnation, Told> told = new HashMap<>();
    private Set<Incarnation> others = Set.of();

    private record Told(NodeReport report, long nanos) {}

    /** Receives frames from now on. Before the node joins. */
    public NodeReports(NodeLinks links, LongSupplier nanoTime, MeterRegistry metrics) {
        this.links = links;
        this.nanoTime = nanoTime;
        this.malformed = metrics.counter("heddle.cluster.frames.malformed", "of", "reports");
        links.receive(
                NodeReport.KIND,
                NodeReport.KIND,
                readable((from, _, _, payload) -> onReport(from, NodeReport.decode(payload))));
        links.receive(
                REBALANCE_KIND, REBALANCE_KIND, readable((_, _, _, payload) -> onRebalance.accept(target(payload))));
    }

    /** A frame that this node cannot read is counted and changes nothing. */
    private FrameReceiver readable(FrameReceiver receiver) {
        return (from, lane, kind, payload) -> {
            try {
                receiver.onFrame(from, lane, kind, payload);
            } catch (MalformedFrameException e) {
                malformed.increment();
                FailureLog.warn(
                        log,
                        "Dropped a report or an order of another node that this node cannot read: node=" + from,
                        e);
            }
        };
    }

    private static int target(byte[] payload) {
        FrameReader in = new FrameReader("an order to rebalance connections", payload);
        in.version(REBALANCE_VERSION);
        long target = in.u32();
        in.finish();
        return (int) Math.min(target, Integer.MAX_VALUE);
    }

    /** Sets what is done when this node must close connections; receives the number of connections to keep. It must not block. */
    public void onRebalance(IntConsumer action) {
        onRebalance = action;
    }

    /** The members besides this node have changed. */
    public synchronized void onMembers(Set<Incarnation> members) {
        others = Collections.unmodifiableSet(new TreeSet<>(members));
    }

    private synchronized void onReport(Incarnation from, NodeReport report) {
        told.put(from, new Told(report, nanoTime.getAsLong()));
    }

    /**
     * Sends a report of this node to the other members. They need one at least once in {@value #VALID_SECONDS} seconds.
     *
     * @param self the incarnation of this node
     */
    public void tell(Incarnation self, NodeReport report) {
        Set<Incarnation> receivers;
        synchronized (this) {
            receivers = others;
            long now = nanoTime.getAsLong();
            told.put(self, new Told(report, now));
            told.values().removeIf(each -> isOld(each, now));
        }
        byte[] frame = report.encode();
        for (Incarnation each : receivers) {
            // Reports must not fill a lane that is not connected.
            if (links.isUp(each)) {
                var _ = links.send(each, NodeLinks.CONTROL, NodeReport.KIND, frame);
            }
        }
    }

    private static boolean isOld(Told each, long now) {
        return now - each.nanos() > Duration.ofSeconds(VALID_SECONDS).toNanos();
    }

    /** Returns the latest report of a member or of this node; null if there is none of the last seconds. */
    public synchronized @Nullable NodeReport of(Incarnation member) {
        Told last = told.get(member);
        return last == null || isOld(last, nanoTime.getAsLong()) ? null : last.report();
    }

    /**
     * Orders a member to close connections until it has this many.
     *
     * @return false if its link does not accept the order
     */
    public boolean orderRebalance(Incarnation member, int target) {
        byte[] order = new BinaryWriter().u8(REBALANCE_VERSION).u32(target).toBytes();
        return links.isUp(member) && links.send(member, NodeLinks.CONTROL, REBALANCE_KIND, order);
    }
}
