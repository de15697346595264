package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.BackgroundQueue;
import io.heddle.core.client.BackgroundWork;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.transport.codec.PublishVariants;
import io.heddle.transport.codec.TopicNames;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * A Netty event loop with work for the end of a turn (connections to flush, counts to add up), for the next turn (connections
 * that have used up their packets or wait with a heavy one) and for the background. A turn ends with one task, which runs after
 * all tasks submitted before it. Methods of the port are thread-safe if they say so; all others may be called on the loop only.
 * Bound: each connection is in each list at most once, and the encoded message kept for copies is released at the end of the
 * turn.
 */
@HotPath
public final class NettyEventLoop implements EventLoop {
    /** The time for heavy packets in one turn; once it is used up, further ones wait for the next turn. */
    private static final long HEAVY_NANOS_PER_TURN = 2_000_000;

    private final io.netty.channel.EventLoop loop;
    private final int index;
    private final Runnable endTurn = this::endTurn;
    private final PublishVariants variants = new PublishVariants();
    private @Nullable SharedPayload shared;
    private final TopicNames topicNames = new TopicNames();
    // Per turn.
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

    /** Returns a number that changes with every turn that received or sent data. */
    int turn() {
        return turn;
    }

    /** Returns whether this turn has time left for heavy packets of any connection. */
    boolean admitsHeavyPacket() {
        return heavyNanos < HEAVY_NANOS_PER_TURN;
    }

    /** Charges the time of a heavy packet to this turn. */
    void chargeHeavyPacket(long nanos) {
        assertCurrent();
        heavyNanos += nanos;
        scheduleEnd();
    }

    private void beginTurn() {
        turn++;
        heavyNanos = 0;
    }

    /**
     * Resumes a connection in the next turn, after ready sockets have been served. Called at most once per connection and turn.
     */
    void resumeNextTurn(InboundGate gate) {
        assertCurrent();
        if (throttled.isEmpty()) {
            // Netty runs a due timer after polling the sockets again, but a task before.
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

    /** Returns the cache of topic names to which its connections published recently. */
    public TopicNames topicNames() {
        assertCurrent();
        return topicNames;
    }

    /** Returns the encodings of the message that is being sent to many clients. Not asserted: {@link NettyConnection#send} has done so. */
    PublishVariants variants() {
        return variants;
    }

    /** Returns a large payload that is being sent to many clients, the same object for successive calls with the same payload. */
    SharedPayload shared(BinaryData payload, UnsentOutput unsentOutput) {
        SharedPayload present = shared;
        if (present != null && present.is(payload)) {
            return present;
        }
        forgetShared();
        SharedPayload created = new SharedPayload(payload, unsentOutput);
        shared = created;
        scheduleEnd();
        return created;
    }

    private void forgetShared() {
        SharedPayload present = shared;
        if (present != null) {
            present.release();
            shared = null;
        }
    }

    /** Flushes a connection at the end of this turn. Called at most once per connection and turn. */
    void flushLater(NettyConnection connection) {
        assertCurrent();
        unflushed.add(connection);
        scheduleEnd();
    }

    /** Adds counts up at the end of this turn, after the output is written. Called at most once per turn. */
    void addUpLater(TurnCounts counts) {
        assertCurrent();
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
        // Packets sent during the flush belong to the next turn, so that every turn ends.
        ArrayList<NettyConnection> due = unflushed;
        unflushed = flushing;
        flushing = due;
        endScheduled = false;
        beginTurn();
        variants.clear();
        forgetShared();
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
