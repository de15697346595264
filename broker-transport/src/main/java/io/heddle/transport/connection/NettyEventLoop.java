package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.BackgroundQueue;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import io.heddle.transport.codec.PublishVariants;
import io.heddle.transport.codec.TopicNames;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/**
 * One of Netty's event loops, with its work for the end of a turn (connections to flush, counts to add up), for the next turn
 * (connections that have used up their packets of this turn, or wait with a heavy one) and in the background. One task per turn ends it, behind all
 * tasks that the loop was given before. Any thread may call the port's methods that say so; everything else belongs to the loop.
 * Bound: each connection is in each list once, and the encoded message that copies are made of is dropped at the end of the turn.
 */
@HotPath
public final class NettyEventLoop implements EventLoop {
    /** The time for heavy packets in one turn; when it is used up, the remaining ones wait for the next turn. */
    private static final long HEAVY_NANOS_PER_TURN = 2_000_000;

    private final io.netty.channel.EventLoop loop;
    private final int index;
    private final Runnable endTurn = this::endTurn;
    private final PublishVariants variants = new PublishVariants();
    private final TopicNames topicNames = new TopicNames();
    // For one turn.
    private ArrayList<NettyConnection> unflushed = new ArrayList<>();
    private ArrayList<NettyConnection> flushing = new ArrayList<>();
    private final ArrayList<TurnCounts> counting = new ArrayList<>(1);
    private boolean endScheduled;
    private int turn;
    private long heavyNanos;
    // For the next turn.
    private final Runnable resumeThrottled = this::resumeThrottled;
    private ArrayList<InboundGate> throttled = new ArrayList<>();
    private ArrayList<InboundGate> resuming = new ArrayList<>();
    // Between turns.
    private final BackgroundQueue background = new BackgroundQueue(this);

    /** The loop of a node that has this index. */
    public NettyEventLoop(io.netty.channel.EventLoop loop, int index) {
        this.loop = loop;
        this.index = index;
    }

    @Override
    public int index() {
        return index;
    }

    @Override
    public boolean isCurrent() {
        return loop.inEventLoop();
    }

    @Override
    public long nanoTime() {
        return loop.ticker().nanoTime();
    }

    @Override
    public void execute(Runnable task) {
        loop.execute(task);
    }

    @Override
    public Timer schedule(Duration delay, Runnable task) {
        Future<?> scheduled = loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
        return () -> scheduled.cancel(false);
    }

    @Override
    public void inBackground(BackgroundWork work) {
        background.add(work);
    }

    /** Changes with every turn that received or sent anything. */
    int turn() {
        return turn;
    }

    /** True while this turn has time left for heavy packets, whichever connection sent them. */
    boolean admitsHeavyPacket() {
        return heavyNanos < HEAVY_NANOS_PER_TURN;
    }

    /** Charges a heavy packet to this turn. */
    void heavyPacketTook(long nanos) {
        heavyNanos += nanos;
        scheduleEnd();
    }

    private void beginTurn() {
        turn++;
        heavyNanos = 0;
    }

    /** Resumes a connection in the next turn, after the sockets that are ready were served. A connection asks once per turn. */
    void resumeNextTurn(InboundGate gate) {
        if (throttled.isEmpty()) {
            // Netty starts a timer that is due after it has polled the sockets again, and a task before.
            var _ = loop.schedule(resumeThrottled, 0, TimeUnit.NANOSECONDS);
        }
        throttled.add(gate);
    }

    private void resumeThrottled() {
        ArrayList<InboundGate> due = throttled;
        throttled = resuming;
        resuming = due;
        beginTurn();
        for (int i = 0; i < due.size(); i++) {
            due.get(i).resumeTurn();
        }
        due.clear();
    }

    /** The topic names that its connections published to lately; event loop only. */
    public TopicNames topicNames() {
        return topicNames;
    }

    /** What is known of the message that is being sent to many. */
    PublishVariants variants() {
        return variants;
    }

    /** Flushes a connection at the end of this turn. The connection asks once per turn. */
    void flushLater(NettyConnection connection) {
        unflushed.add(connection);
        scheduleEnd();
    }

    /** Adds counts up at the end of this turn, behind what is written then. They ask once per turn. */
    void addUpLater(TurnCounts counts) {
        counting.add(counts);
        scheduleEnd();
    }

    private void scheduleEnd() {
        if (!endScheduled) {
            endScheduled = true;
            loop.execute(endTurn);
        }
    }

    private void endTurn() {
        // What is sent while these are flushed is for the next turn, so a turn always ends.
        ArrayList<NettyConnection> due = unflushed;
        unflushed = flushing;
        flushing = due;
        endScheduled = false;
        beginTurn();
        variants.forget();
        for (int i = 0; i < due.size(); i++) {
            due.get(i).endTurn();
        }
        due.clear();
        for (int i = 0; i < counting.size(); i++) {
            counting.get(i).addUp();
        }
        counting.clear();
    }
}
