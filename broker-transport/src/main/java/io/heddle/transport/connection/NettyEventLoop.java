package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.EventLoop;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * One of Netty's event loops, with the connections that have something to write at the end of its turn. One task per turn
 * flushes them all, behind whatever the loop was given before. Everything but the port's methods that any thread may call is
 * the loop's own. Bound: each connection stands in the list once.
 */
@HotPath
public final class NettyEventLoop implements EventLoop {
    private final io.netty.channel.EventLoop loop;
    private final int index;
    private final List<NettyEventLoop> all;
    private final Runnable flush = this::flush;
    private ArrayList<NettyConnection> unflushed = new ArrayList<>();
    private ArrayList<NettyConnection> flushing = new ArrayList<>();
    private boolean flushScheduled;

    /**
     * A loop of a node.
     *
     * @param all the loops of the node, this one among them: the caller's list, which is complete before the loop is used
     */
    public NettyEventLoop(io.netty.channel.EventLoop loop, int index, List<NettyEventLoop> all) {
        this.loop = loop;
        this.index = index;
        this.all = all;
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
    public void executeAfterAll(Runnable task) {
        AtomicInteger running = new AtomicInteger(all.size());
        for (NettyEventLoop other : all) {
            other.execute(() -> {
                if (running.decrementAndGet() == 0) {
                    execute(task);
                }
            });
        }
    }

    /** Flushes a connection at the end of this turn. The connection asks once per turn. */
    void flushLater(NettyConnection connection) {
        unflushed.add(connection);
        if (!flushScheduled) {
            flushScheduled = true;
            loop.execute(flush);
        }
    }

    private void flush() {
        // What is sent while these are flushed is for the next turn, so a turn always ends.
        ArrayList<NettyConnection> due = unflushed;
        unflushed = flushing;
        flushing = due;
        flushScheduled = false;
        for (int i = 0; i < due.size(); i++) {
            due.get(i).flush();
        }
        due.clear();
    }
}
