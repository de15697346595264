package io.heddle.transport.link;

import io.heddle.core.FailureLog;
import io.heddle.core.cluster.Incarnation;
import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.EventLoop;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Sends frames to one incarnation in order and keeps them until they are acknowledged. States: waiting → connecting → open → waiting …, and
 * ended from any. Confined to one event loop, except for {@link #send} and {@link #end}. Bound: the {@link SendBudget} of the lane, which
 * also counts the frames on their way to the event loop.
 */
final class OutboundLane {
    private static final Logger LOG = LoggerFactory.getLogger(OutboundLane.class);
    /** The frames of a buffer. TLS splits the buffer into records of 16 KB. */
    private static final int BATCH_BYTES = 64 * 1_024;
    /** Fewer refusals are normal at a start: one of the nodes has not yet read that the other one has joined, or opens its logs. */
    private static final int REPORTED_REFUSAL = 10;

    private enum State {
        WAITING,
        CONNECTING,
        OPEN,
        ENDED
    }

    private final Bootstrap bootstrap;
    private final EventLoop loop;
    private final LinkSettings settings;
    private final Hello hello;
    private final SocketAddress address;
    private final SendBudget budget;
    private final Listener listener;
    private final LinkMetrics metrics;
    private volatile boolean ended;
    private volatile long heardNanos = System.nanoTime();

    // Confined to the event loop.
    private State state = State.WAITING;
    /** The unacknowledged frames that were written to the present connection, in order; before those that wait. */
    private final ArrayDeque<OutboundFrame> written = new ArrayDeque<>();
    /** The frames that the present connection does not have yet. */
    private final ArrayDeque<OutboundFrame> waiting = new ArrayDeque<>();
    /** The number of the last acknowledged frame; the first unacknowledged one follows it. */
    private long acknowledged;

    private @Nullable Channel channel;
    private @Nullable Future<?> timer;
    private long pauseMillis;
    private int refusals;
    private boolean writeDue;
    private boolean heard;
    private int silentIntervals;

    /** Listens for the state of a lane, on the lane's event loop. */
    interface Listener {
        void onOpen();

        /** The connection, which was open, is lost. */
        void onLost(@Nullable Throwable cause);

        /** The peer says that this node has left or was declared dead. Followed by {@link #onNotOpened}. */
        void onSelfEnded();

        /** The lane could not be opened; it tries again. */
        void onNotOpened(@Nullable Throwable cause);
    }

    /**
     * A lane that connects as soon as {@link #start} is called.
     *
     * @param bootstrap with the event loop of the lane and the channel class
     */
    OutboundLane(
            Bootstrap bootstrap,
            EventLoop loop,
            LinkSettings settings,
            Hello hello,
            SocketAddress address,
            SendBudget budget,
            Listener listener,
            LinkMetrics metrics) {
        this.bootstrap = bootstrap;
        this.loop = loop;
        this.settings = settings;
        this.hello = hello;
        this.address = address;
        this.budget = budget;
        this.listener = listener;
        this.metrics = metrics;
        this.pauseMillis = settings.shortestPause().toMillis();
    }

    void start() {
        loop.execute(this::connect);
    }

    private void requireLoop() {
        if (!loop.inEventLoop()) {
            throw new IllegalStateException("a lane is used outside of its event loop");
        }
    }

    /** Sends a frame. Any thread. Returns false if the lane is full or has ended. */
    boolean send(int kind, byte[] payload) {
        OutboundFrame frame = new OutboundFrame(kind, payload);
        if (ended || !budget.tryTake(frame.charge())) {
            metrics.refused();
            return false;
        }
        if (loop.inEventLoop()) {
            add(frame);
        } else {
            loop.execute(() -> add(frame));
        }
        return true;
    }

    private void add(OutboundFrame frame) {
        if (state == State.ENDED) {
            budget.free(frame.charge());
            return;
        }
        waiting.add(frame);
        writeLater();
    }

    /** Writes once for all frames of a turn of the event loop. */
    private void writeLater() {
        if (!writeDue && state == State.OPEN) {
            writeDue = true;
            loop.execute(() -> {
                writeDue = false;
                write();
            });
        }
    }

    /** Writes the frames that wait, as far as the present connection takes them. */
    private void write() {
        Channel open = channel;
        if (state != State.OPEN || open == null || waiting.isEmpty()) {
            return;
        }
        while (!waiting.isEmpty() && open.isWritable()) {
            writeBatch(open);
        }
        open.flush();
    }

    private void writeBatch(Channel open) {
        int frames = 0;
        int bytes = 0;
        for (OutboundFrame each : waiting) {
            if (bytes + each.bytes() > BATCH_BYTES) {
                break;
            }
            bytes += each.bytes();
            frames++;
        }
        // The engine of the JDK works on arrays.
        ByteBuf batch = open.alloc().heapBuffer(Math.max(bytes, LinkMessage.FRAME_OVERHEAD));
        for (int i = 0; i < frames; i++) {
            OutboundFrame frame = next();
            frame.writeTo(batch);
        }
        if (frames > 0) {
            var _ = open.write(batch, open.voidPromise());
        } else {
            writeLarge(open, batch);
        }
        metrics.sent(Math.max(frames, 1));
    }

    private void writeLarge(Channel open, ByteBuf head) {
        OutboundFrame frame = next();
        frame.writeHeadTo(head);
        var _ = open.write(head, open.voidPromise());
        var _ = open.write(frame.payload(), open.voidPromise());
    }

    private OutboundFrame next() {
        OutboundFrame frame = waiting.remove();
        written.add(frame);
        return frame;
    }

    private void connect() {
        timer = null;
        if (state != State.WAITING) {
            return;
        }
        state = State.CONNECTING;
        ChannelFuture connecting = bootstrap.connect(address);
        Channel attempt = connecting.channel();
        channel = attempt;
        timer = loop.schedule(
                () -> onLost(attempt, new LinkTimeoutException("no answer to the first message")),
                settings.connectTimeout().toMillis(),
                TimeUnit.MILLISECONDS);
        var _ = connecting.addListener(done -> {
            if (!done.isSuccess()) {
                onLost(attempt, done.cause());
            }
        });
    }

    /** The connection is established, and its peer has proved to be the incarnation. */
    void onConnected(Channel connected) {
        requireLoop();
        if (!connected.equals(channel) || state != State.CONNECTING) {
            var _ = connected.close();
            return;
        }
        var _ = connected.writeAndFlush(LinkMessage.hello(connected.alloc(), hello), connected.voidPromise());
    }

    /** Returns for how long the peer has answered nothing, exact to a {@link LinkSettings#probeInterval}. Any thread. */
    long silentNanos() {
        return System.nanoTime() - heardNanos;
    }

    /** Returns the incarnation that the lane reaches. */
    Incarnation peer() {
        return hello.to();
    }

    /** @throws MalformedLinkException if it is not one that the peer may send now */
    void onMessage(Channel from, ByteBuf message) {
        requireLoop();
        if (!from.equals(channel)) {
            return;
        }
        heard = true;
        byte type = message.readByte();
        if (type == LinkMessage.WELCOME && state == State.CONNECTING) {
            onWelcome(from, message);
        } else if (type == LinkMessage.REFUSED && state == State.CONNECTING) {
            onRefused(from, message);
        } else if (type == LinkMessage.ENDED && state == State.CONNECTING) {
            listener.onSelfEnded();
            onLost(from, null);
        } else if (type == LinkMessage.RECEIVED && state == State.OPEN) {
            acknowledge(message.readLong(), written);
        } else {
            throw new MalformedLinkException("a message of type " + type + " while the lane is " + state);
        }
    }

    private void onWelcome(Channel from, ByteBuf message) {
        message.skipBytes(1);
        acknowledge(message.readLong(), waiting);
        cancelTimer();
        state = State.OPEN;
        refusals = 0;
        silentIntervals = 0;
        heardNanos = System.nanoTime();
        metrics.opened();
        probeLater(from);
        write();
        listener.onOpen();
    }

    private void probeLater(Channel open) {
        timer = loop.schedule(() -> probe(open), settings.probeInterval().toMillis(), TimeUnit.MILLISECONDS);
    }

    /** A connection through a network that drops packets, or to a frozen peer, does not end by itself for many minutes. */
    private void probe(Channel open) {
        timer = null;
        pauseMillis = settings.shortestPause().toMillis();
        if (heard) {
            heard = false;
            heardNanos = System.nanoTime();
            silentIntervals = 0;
        } else if (++silentIntervals < settings.silentIntervals()) {
            var _ = open.writeAndFlush(LinkMessage.probe(open.alloc()), open.voidPromise());
        } else {
            onLost(open, new LinkTimeoutException("the peer is silent"));
            return;
        }
        probeLater(open);
    }

    private void onRefused(Channel from, ByteBuf message) {
        if (++refusals == REPORTED_REFUSAL) {
            FailureLog.warn(
                    LOG,
                    "A node has refused a link several times; trying again: peer=" + hello.to() + ", address=" + address
                            + ", lane=" + hello.lane() + ", reason=" + LinkMessage.reason(message),
                    null);
        }
        onLost(from, null);
    }

    /** @param unacknowledged which begins with the frame behind the last acknowledged one */
    private void acknowledge(long number, ArrayDeque<OutboundFrame> unacknowledged) {
        long highest = acknowledged + unacknowledged.size();
        if (number < acknowledged || number > highest) {
            throw new MalformedLinkException("frame " + number + " is acknowledged, but frames " + (acknowledged + 1)
                    + " to " + highest + " are not");
        }
        long freed = 0;
        for (; acknowledged < number; acknowledged++) {
            freed += unacknowledged.remove().charge();
        }
        if (freed > 0) {
            budget.free(freed);
        }
    }

    /** The operating system takes output again. */
    void onWritable(Channel writable) {
        if (writable.equals(channel)) {
            write();
        }
    }

    /** A connection has ended or could not be established. The frames wait for the next one. */
    void onLost(Channel lost, @Nullable Throwable cause) {
        requireLoop();
        if (!lost.equals(channel) || state == State.ENDED) {
            return;
        }
        channel = null;
        cancelTimer();
        boolean wasOpen = state == State.OPEN;
        metrics.repeated(written.size());
        for (OutboundFrame frame = written.pollLast(); frame != null; frame = written.pollLast()) {
            waiting.addFirst(frame);
        }
        state = State.WAITING;
        timer = loop.schedule(this::connect, pauseMillis, TimeUnit.MILLISECONDS);
        pauseMillis = Math.min(2 * pauseMillis, settings.longestPause().toMillis());
        var _ = lost.close();
        if (wasOpen) {
            metrics.lost();
            listener.onLost(cause);
        } else {
            listener.onNotOpened(cause);
        }
    }

    private void cancelTimer() {
        Future<?> scheduled = timer;
        timer = null;
        if (scheduled != null) {
            var _ = scheduled.cancel(false);
        }
    }

    /**
     * Ends the lane because one of the incarnations has ended: drops all frames and closes the connection. Any thread; idempotent.
     *
     * @return completes when the lane no longer uses its event loop
     */
    CompletionStage<?> end() {
        ended = true;
        return CompletableFuture.runAsync(this::endNow, loop);
    }

    private void endNow() {
        if (state == State.ENDED) {
            return;
        }
        state = State.ENDED;
        cancelTimer();
        budget.free(drop(written) + drop(waiting));
        Channel open = channel;
        channel = null;
        if (open != null) {
            var _ = open.close();
        }
    }

    private static long drop(ArrayDeque<OutboundFrame> frames) {
        long freed = 0;
        for (OutboundFrame frame = frames.poll(); frame != null; frame = frames.poll()) {
            freed += frame.charge();
        }
        return freed;
    }
}
