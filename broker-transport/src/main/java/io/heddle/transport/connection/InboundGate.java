package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.transport.codec.MqttDecoder;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelInboundInvoker;
import io.netty.channel.socket.DuplexChannel;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the packets of one connection are read and decoded. Owned by the connection's event loop.
 *
 * <p>States: open, or paused for one or more reasons. While paused, the socket is not read, and received bytes stay undecoded.
 * Reasons: the session, a pending CONNECT, the end of the turn, and output that the client does not read. A closing connection is
 * read on, so that unread bytes do not turn the close into a reset. Bound: {@link ConnectionLimits#packetsPerTurn} packets in
 * each turn of the loop, so that a client with many small packets does not delay other clients of its loop. A slow client, whose
 * latest packets took long (such as messages for thousands of subscribers), gets one packet. Heavy packets of all clients share a
 * time slice of the turn.
 */
@HotPath
public final class InboundGate implements MqttDecoder.Gate {
    /** Reasons to pause, as bits. */
    private static final int SESSION = 1;

    private static final int CONNECTING = 2;
    private static final int TURN = 4;
    private static final int UNWRITABLE = 8;

    /** A client is slow if its packets take longer, because hundreds of other packets could be processed in that time. */
    private static final long SLOW_NANOS = 200_000;

    // Dependencies.
    private final Channel channel;
    private final NettyEventLoop eventLoop;
    private final int packetsPerTurn;
    // Per connection.
    private int pauses;
    private boolean ofStranger;
    // Written by the event loop, read by any thread.
    private volatile boolean closing;
    private volatile @Nullable Runnable drain;
    private volatile boolean ended;
    private ChannelInboundInvoker entry;
    // Per turn.
    private int turn;
    private int packetsLeft;
    private long secondPacketNanos;
    // Across turns.
    private boolean slow;
    private int unfinishedBytes;
    // For the last admitted packet.
    private boolean timed;
    private boolean heavy;
    private long admittedNanos;

    InboundGate(Channel channel, NettyEventLoop eventLoop, int packetsPerTurn) {
        this.channel = channel;
        this.entry = channel.pipeline();
        this.eventLoop = eventLoop;
        this.packetsPerTurn = packetsPerTurn;
        this.packetsLeft = packetsPerTurn;
        this.turn = eventLoop.turn();
    }

    /** Sets the handler in front of the decoder, which does not process bytes of MQTT. By default the decoder is the first handler. */
    public void decodeBehind(ChannelInboundInvoker handler) {
        eventLoop.assertCurrent();
        entry = handler;
    }

    @Override
    public boolean admitsPacket(boolean isHeavy) {
        eventLoop.assertCurrent();
        if (closing) {
            return true;
        }
        if (pauses != 0) {
            return false;
        }
        if (turn != eventLoop.turn()) {
            turn = eventLoop.turn();
            packetsLeft = packetsPerTurn;
        }
        if (packetsLeft == 0 || (isHeavy ? !eventLoop.admitsHeavyPacket() : hasUsedSlowShare())) {
            pause(TURN);
            eventLoop.resumeNextTurn(this);
            return false;
        }
        packetsLeft--;
        unfinishedBytes = 0;
        heavy = isHeavy;
        timed = isHeavy || slow;
        if (timed) {
            admittedNanos = eventLoop.nanoTime();
        }
        return true;
    }

    @Override
    public void onUnfinished(int bytes) {
        unfinishedBytes = bytes;
    }

    int unfinishedBytes() {
        return unfinishedBytes;
    }

    /**
     * Returns whether the client is slow and has had its one packet of this turn. The clock is read only at the second, fourth,
     * eighth packet of a turn and so on, because reading it for every packet would be too expensive.
     */
    private boolean hasUsedSlowShare() {
        int admitted = packetsPerTurn - packetsLeft;
        if (slow) {
            return admitted > 0;
        }
        if (admitted == 1) {
            secondPacketNanos = eventLoop.nanoTime();
        } else if (admitted >= 3 && Integer.bitCount(admitted + 1) == 1) {
            slow = eventLoop.nanoTime() - secondPacketNanos > (admitted - 1) * SLOW_NANOS;
        }
        return slow;
    }

    /** Records that the last admitted packet has been processed. */
    void packetProcessed() {
        if (!timed) {
            return;
        }
        timed = false;
        long tookNanos = eventLoop.nanoTime() - admittedNanos;
        if (heavy) {
            eventLoop.chargeHeavyPacket(tookNanos);
        } else {
            slow = tookNanos > SLOW_NANOS;
        }
    }

    @Override
    public boolean isPaused() {
        return pauses != 0 && !closing;
    }

    /** Pauses or resumes on behalf of the session. */
    void setSessionPaused(boolean paused) {
        setPaused(SESSION, paused);
    }

    /** Pauses while a CONNECT is pending, so that later packets wait for their session. */
    void setConnecting(boolean pending) {
        ofStranger = pending;
        setPaused(CONNECTING, pending);
    }

    /** Resumes for the answer to a challenge. The client is not accepted yet. */
    void setChallenged() {
        setPaused(CONNECTING, false);
    }

    /** Pauses while the client does not read its output, so that no further responses accumulate. */
    void setUnwritable(boolean unwritable) {
        setPaused(UNWRITABLE, unwritable);
    }

    /** Resumes in a new turn. Called by the event loop. */
    void resumeTurn() {
        resume(TURN);
    }

    /**
     * The client has ended its output, or the connection is lost, while received bytes are still undecoded: from now on {@code drain}
     * runs whenever the gate opens. Unread output of a lost connection no longer pauses the gate.
     */
    void onInputEnded(Runnable drain) {
        eventLoop.assertCurrent();
        this.drain = drain;
        if (!channel.isActive()) {
            setPaused(UNWRITABLE, false);
        }
        if (pauses == 0) {
            pause(TURN);
            eventLoop.resumeNextTurn(this);
        }
    }

    @Override
    public boolean isConnecting() {
        return ofStranger;
    }

    /** Returns whether this side has closed the connection. Any thread. */
    boolean isClosing() {
        return closing;
    }

    /** Returns whether undecoded bytes wait although no more will be received. Any thread. */
    boolean isDraining() {
        return !closing && drain != null;
    }

    /** Returns whether nothing that was received can have an effect any more. Any thread. */
    boolean isGone() {
        return closing || (ended && drain == null);
    }

    /** The connection is lost, and {@link #onInputEnded} was called if undecoded bytes are left. */
    void onConnectionLost() {
        eventLoop.assertCurrent();
        ended = true;
    }

    /** No undecoded bytes are left. */
    void onDrained() {
        eventLoop.assertCurrent();
        drain = null;
    }

    /** This side closes: received packets no longer have any effect. */
    void onClosing() {
        eventLoop.assertCurrent();
        closing = true;
        Runnable waiting = drain;
        if (waiting != null) {
            // Run it to drop the undecoded bytes: the session may never resume.
            eventLoop.execute(waiting);
        }
        read();
    }

    /** Reads the socket again, unless the client has ended its output: some transports cannot read after that. */
    private void read() {
        boolean hasEnded = channel instanceof DuplexChannel duplex && duplex.isInputShutdown();
        if (channel.isActive() && !hasEnded) {
            channel.config().setAutoRead(true);
        }
    }

    private void setPaused(int reason, boolean paused) {
        eventLoop.assertCurrent();
        if (paused) {
            pause(reason);
        } else if ((pauses & reason) != 0) {
            if (pauses == reason) {
                // Bytes received before the pause are decoded in the next turn, not within the caller.
                pauses = TURN;
                eventLoop.resumeNextTurn(this);
            } else {
                pauses &= ~reason;
            }
        }
    }

    private void pause(int reason) {
        if (pauses == 0 && !closing && channel.isActive()) {
            channel.config().setAutoRead(false);
        }
        pauses |= reason;
    }

    private void resume(int reason) {
        pauses &= ~reason;
        Runnable waiting = drain;
        if (pauses == 0 && waiting != null) {
            waiting.run();
            return;
        }
        if (pauses != 0 || closing || !channel.isActive()) {
            return;
        }
        // Decode received bytes first: they may close the gate again.
        entry.fireChannelRead(Unpooled.EMPTY_BUFFER);
        if (pauses == 0 && !closing) {
            read();
        }
    }
}
