package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.transport.codec.MqttDecoder;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import org.jspecify.annotations.Nullable;

/**
 * Decides when the packets of one connection are read and decoded. Owned by the connection's event loop.
 *
 * <p>States: open, or paused for one or more reasons; while it is paused the socket is not read, and received bytes stay
 * undecoded. The reasons are the session, a CONNECT that is being answered, the end of the turn, and output that the client does not
 * read. A connection that closes reads on, so that unread bytes do not turn the close into a reset. Bound: {@link
 * ConnectionLimits#packetsPerTurn} packets in each turn of the loop, so that a client with many small packets does not delay the
 * other clients of its loop; one packet if the client is slow, because its latest packets took long, such as messages for thousands of
 * subscribers. Heavy packets of all clients share the time that a turn has for them.
 */
@HotPath
public final class InboundGate implements MqttDecoder.Gate {
    /** Reasons to pause, as bits. */
    private static final int SESSION = 1;

    private static final int CONNECTING = 2;
    private static final int TURN = 4;
    private static final int UNWRITABLE = 8;

    /** A client whose packets take longer is slow: hundreds of other packets could be processed in the time of one. */
    private static final long SLOW_NANOS = 200_000;

    // Dependencies.
    private final Channel channel;
    private final NettyEventLoop eventLoop;
    private final int packetsPerTurn;
    // For the connection.
    private int pauses;
    private boolean closing;
    private @Nullable Runnable lost;
    // For one turn.
    private int turn;
    private int packetsLeft;
    private long secondPacketNanos;
    // For several turns.
    private boolean slow;
    // For the packet that was admitted last.
    private boolean timed;
    private boolean heavy;
    private long admittedNanos;

    InboundGate(Channel channel, NettyEventLoop eventLoop, int packetsPerTurn) {
        this.channel = channel;
        this.eventLoop = eventLoop;
        this.packetsPerTurn = packetsPerTurn;
        this.packetsLeft = packetsPerTurn;
        this.turn = eventLoop.turn();
    }

    @Override
    public boolean admitsPacket(boolean isHeavy) {
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
        if (packetsLeft == 0 || (isHeavy ? !eventLoop.admitsHeavyPacket() : hasSlowShare())) {
            pause(TURN);
            eventLoop.resumeNextTurn(this);
            return false;
        }
        packetsLeft--;
        heavy = isHeavy;
        timed = isHeavy || slow;
        if (timed) {
            admittedNanos = eventLoop.nanoTime();
        }
        return true;
    }

    /**
     * True if the client is slow and has had its one packet of this turn. To find that out, the clock is read with the second, fourth, eighth
     * packet of a turn and so on; reading it with every packet would cost too much.
     */
    private boolean hasSlowShare() {
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

    /** The packet that was admitted last has been processed. */
    void packetProcessed() {
        if (!timed) {
            return;
        }
        timed = false;
        long tookNanos = eventLoop.nanoTime() - admittedNanos;
        if (heavy) {
            eventLoop.heavyPacketTook(tookNanos);
        } else {
            slow = tookNanos > SLOW_NANOS;
        }
    }

    @Override
    public boolean isPaused() {
        return pauses != 0 && !closing;
    }

    /** The session asks to pause, or to go on. */
    void session(boolean paused) {
        set(SESSION, paused);
    }

    /** CONNECT is being answered; later packets wait for their session. */
    void connecting(boolean pending) {
        set(CONNECTING, pending);
    }

    /** The client does not read its output, so nothing more that it sends is answered; or it reads again. */
    void unwritable(boolean unwritable) {
        set(UNWRITABLE, unwritable);
    }

    /** A new turn has begun. Called by the event loop. */
    void resumeTurn() {
        resume(TURN);
    }

    /**
     * The connection is lost, and received bytes still wait: from here on {@code next} is called whenever the gate opens. Nobody waits
     * any more for the client to read.
     */
    void lost(Runnable next) {
        lost = next;
        set(UNWRITABLE, false);
        if (pauses == 0) {
            pause(TURN);
            eventLoop.resumeNextTurn(this);
        }
    }

    /** This side closes: received packets have no effect any more. */
    void closing() {
        closing = true;
        if (lost != null) {
            // Bytes that wait are dropped: the session may never resume.
            eventLoop.execute(lost);
        }
        if (channel.isActive()) {
            channel.config().setAutoRead(true);
        }
    }

    private void set(int reason, boolean paused) {
        if (paused) {
            pause(reason);
        } else if ((pauses & reason) != 0) {
            if (pauses == reason) {
                // The bytes that were received before the pause are decoded in the next turn, not within the caller's
                // step.
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
        if (pauses == 0 && lost != null) {
            lost.run();
            return;
        }
        if (pauses != 0 || closing || !channel.isActive()) {
            return;
        }
        // First the bytes that are there: they may close the gate again.
        channel.pipeline().fireChannelRead(Unpooled.EMPTY_BUFFER);
        if (pauses == 0 && !closing) {
            channel.config().setAutoRead(true);
        }
    }
}
