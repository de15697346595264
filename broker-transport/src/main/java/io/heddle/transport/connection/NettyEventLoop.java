package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.heddle.transport.codec.PublishVariants;
import io.heddle.transport.codec.TopicNames;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;

/**
 * One of Netty's event loops, with what waits for the end of its turn: connections that have something to write, and counts.
 * One task per turn sees to them all, behind whatever the loop was given before. Everything but the port's methods that any
 * thread may call is the loop's own. Bound: each connection stands in the list once, and the encoded message that copies are
 * made of is forgotten with the turn.
 */
@HotPath
public final class NettyEventLoop implements EventLoop {
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
