package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundInvoker;
import java.util.ArrayDeque;
import java.util.function.IntConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The unsent output of one connection. Owned by its event loop.
 *
 * <p>Packets are encoded into one buffer, which is written to the channel at the end of the loop's turn, or earlier if it grows large. A
 * large payload is not encoded: it waits here, and whenever the channel is writable, a piece of it is copied and written. Output behind it
 * waits too. So a client that does not read takes no more direct memory than the high watermark and one piece, besides the packets that
 * wait behind a payload.
 */
@HotPath
final class ConnectionOutput {
    private static final int PIECE_BYTES = Connection.LARGE_PAYLOAD_BYTES;

    private static final int FIRST_BUFFER_BYTES = 256;
    /** Written output of this size is flushed before the turn ends. */
    private static final int FLUSH_BYTES = 4 * PIECE_BYTES;

    /** Output that is not in the channel yet. */
    private sealed interface Waiting {
        record Packets(ByteBuf bytes) implements Waiting {}

        record Payload(SharedPayload shared) implements Waiting {}
    }

    private final Channel channel;
    private final IntConsumer byteCount;
    private final OutputProgress progress;
    private ChannelOutboundInvoker outbound;
    private @Nullable OutputFraming framing;
    // Per turn of the event loop.
    private @Nullable ByteBuf buffered;
    private int unflushedBytes;
    // Pending bytes of the channel: those at the start of the turn, plus those written since.
    private long writtenBytes;
    // Behind the output in the channel; empty unless a payload is among it.
    private @Nullable ArrayDeque<Waiting> waiting;
    // Of the payload at its head.
    private int sentOfFirst;
    private long waitingPacketBytes;
    private long waitingPayloadBytes;
    private boolean feeding;
    // Whether the pipeline saw the channel as unwritable because a payload waited; if so, the end of the turn corrects
    // that.
    private boolean hidden;
    private @Nullable Runnable onWritten;

    /** @param byteCount is called with the bytes of each buffer that is written */
    ConnectionOutput(Channel channel, IntConsumer byteCount, boolean encrypted) {
        this.channel = channel;
        this.byteCount = byteCount;
        this.progress = new OutputProgress(channel, encrypted);
        this.outbound = channel;
    }

    /** Sets the handler through which output enters the pipeline, to skip handlers that only process input. */
    void writeThrough(ChannelOutboundInvoker handler) {
        outbound = handler;
    }

    /** Sets the frames that carry the output from now on. */
    void frameOutput(OutputFraming frames) {
        framing = frames;
    }

    @Nullable
    OutputFraming framing() {
        return framing;
    }

    /** Returns the buffer to which the next packet is appended; call {@link #appended} afterwards. */
    ByteBuf buffer() {
        ByteBuf out = buffered;
        if (out == null) {
            out = newBuffer(FIRST_BUFFER_BYTES);
            buffered = out;
        }
        return out;
    }

    private ByteBuf newBuffer(int bytes) {
        ByteBuf out = channel.alloc().ioBuffer(bytes);
        if (framing != null) {
            framing.reserve(out);
        }
        return out;
    }

    /** Writes the buffer if it has become large. */
    void appended() {
        ByteBuf out = buffered;
        if (out != null && out.readableBytes() >= PIECE_BYTES) {
            buffered = null;
            write(out);
        }
    }

    /** Appends the payload of the packet whose other bytes were appended last. */
    void append(SharedPayload payload) {
        payload.hold();
        hold(buffer());
        buffered = null;
        waiting().add(new Waiting.Payload(payload));
        waitingPayloadBytes += payload.bytes().length;
        hidden = true;
        feed();
    }

    private void hold(ByteBuf packets) {
        waiting().add(new Waiting.Packets(packets));
        waitingPacketBytes += packets.readableBytes();
    }

    private ArrayDeque<Waiting> waiting() {
        ArrayDeque<Waiting> present = waiting;
        if (present == null) {
            present = new ArrayDeque<>(4);
            waiting = present;
        }
        return present;
    }

    boolean isWaiting() {
        return waiting != null && !waiting.isEmpty();
    }

    private void write(ByteBuf packets) {
        if (isWaiting()) {
            hold(packets);
            return;
        }
        unflushedBytes += packets.readableBytes();
        writeToChannel(packets);
        if (unflushedBytes >= FLUSH_BYTES) {
            unflushedBytes = 0;
            outbound.flush();
        }
    }

    /** Counts a buffer of packets, and completes its frame. */
    private void finish(ByteBuf out) {
        int bytes = out.readableBytes();
        byteCount.accept(bytes);
        progress.written();
        writtenBytes += bytes;
        if (framing != null) {
            framing.complete(out);
        }
    }

    void beginTurn() {
        writtenBytes = pendingBytes();
    }

    /** Writes the output so far, unless it waits behind a payload. */
    void flush() {
        unflushedBytes = 0;
        ByteBuf out = buffered;
        buffered = null;
        if (out == null) {
            outbound.flush();
        } else if (!out.isReadable()) {
            out.release();
            outbound.flush();
        } else if (isWaiting()) {
            write(out);
            outbound.flush();
        } else {
            finish(out);
            var _ = outbound.writeAndFlush(out, channel.voidPromise());
        }
    }

    /**
     * Writes waiting output while the channel is writable. The channel reports each change of that from within, so that this method is called
     * again while it runs, and {@link #isBlocked} is true until it has ended.
     */
    void feed() {
        if (feeding || !isWaiting()) {
            return;
        }
        feeding = true;
        try {
            while (isWaiting() && channel.isWritable()) {
                feedNext();
                if (!channel.isWritable()) {
                    outbound.flush();
                }
            }
        } finally {
            feeding = false;
        }
        if (!isWaiting()) {
            outbound.flush();
            Runnable written = onWritten;
            onWritten = null;
            if (written != null) {
                written.run();
            }
        }
    }

    /** Reports that the channel is writable if that was hidden while a payload waited. Called at the end of the turn, after {@link #flush}. */
    void report() {
        if (hidden && !isBlocked()) {
            hidden = false;
            channel.pipeline().fireChannelWritabilityChanged();
        }
    }

    private void feedNext() {
        switch (waiting().element()) {
            case Waiting.Packets(ByteBuf packets) -> {
                waiting().remove();
                waitingPacketBytes -= packets.readableBytes();
                writeToChannel(packets);
            }
            case Waiting.Payload(SharedPayload payload) -> feedPiece(payload);
        }
    }

    private void feedPiece(SharedPayload payload) {
        int bytes = Math.min(PIECE_BYTES, payload.bytes().length - sentOfFirst);
        ByteBuf piece = newBuffer(FIRST_BUFFER_BYTES + bytes);
        piece.writeBytes(payload.bytes(), sentOfFirst, bytes);
        sentOfFirst += bytes;
        waitingPayloadBytes -= bytes;
        if (sentOfFirst == payload.bytes().length) {
            waiting().remove();
            sentOfFirst = 0;
            payload.release();
        }
        writeToChannel(piece);
    }

    private void writeToChannel(ByteBuf packets) {
        finish(packets);
        // A failure arrives through the pipeline as an exception.
        var _ = outbound.write(packets, channel.voidPromise());
    }

    /** Runs an action when all output is in the channel; at once if nothing waits. Replaces an earlier action. */
    void whenWritten(Runnable action) {
        if (isWaiting()) {
            onWritten = action;
        } else {
            action.run();
        }
    }

    /** Drops the output that is not in the channel, which is closed. */
    void discard() {
        while (isWaiting()) {
            switch (waiting().remove()) {
                case Waiting.Packets(ByteBuf packets) -> packets.release();
                case Waiting.Payload(SharedPayload payload) -> payload.release();
            }
        }
        waitingPacketBytes = 0;
        waitingPayloadBytes = 0;
        onWritten = null;
    }

    /** Queries the channel only if the known bytes reach the limit, because it may have written some of them meanwhile. */
    boolean isAtLimit(long limit) {
        if (writtenBytes + unwrittenBytes() < limit) {
            return false;
        }
        writtenBytes = pendingBytes();
        return writtenBytes + unwrittenBytes() >= limit;
    }

    private long unwrittenBytes() {
        return bufferedBytes() + waitingPacketBytes + waitingPayloadBytes;
    }

    private long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes();
    }

    private int bufferedBytes() {
        return buffered == null ? 0 : buffered.readableBytes();
    }

    /** Returns whether output waits for the client to read. */
    boolean isBlocked() {
        return feeding || isWaiting() || !channel.isWritable();
    }

    /** Returns whether the client keeps up with its output. */
    boolean isWritable(long highWatermarkBytes) {
        return !isBlocked() && bufferedBytes() <= highWatermarkBytes;
    }

    /** Returns all bytes that the client has not read. */
    long unsentBytes() {
        return pendingBytes() + unwrittenBytes();
    }

    /** Returns the direct memory of the output, which excludes payloads. */
    long directBytes() {
        return unsentBytes() - waitingPayloadBytes;
    }

    boolean hasAdvanced() {
        return progress.hasAdvanced();
    }
}
