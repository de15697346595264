package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.MqttEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundBuffer;
import io.netty.channel.ChannelOutboundInvoker;
import io.netty.channel.socket.DuplexChannel;
import io.netty.util.concurrent.Future;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbound side of one client's connection. Owned by its event loop. Packets are encoded into one buffer, which is written at
 * the end of the loop's turn, or earlier in pieces if it grows large.
 *
 * <p>States: open; closing (writes pending output, ends its output and waits for the client's end of stream, so that the client
 * can read the reason); closed. Bound: {@link ConnectionLimits#outboundLimitBytes} plus one packet; for QoS 0 messages
 * {@link ConnectionLimits#burstLimitBytes} plus one packet, and {@link UnsentOutput} for all connections above their high
 * watermarks.
 */
@HotPath
public final class NettyConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);
    private static final int FIRST_BUFFER_BYTES = 256;
    private static final int FULL_BUFFER_BYTES = 64 * 1024;
    /** Written output is flushed at this size before the turn ends, so that large messages do not accumulate here. */
    private static final int FLUSH_BYTES = 4 * FULL_BUFFER_BYTES;

    // Dependencies.
    private final Channel channel;
    private final NettyEventLoop eventLoop;
    private final ConnectionLimits limits;
    private final TransportMetrics metrics;
    private final TurnCounts counts;
    private final InboundGate gate;
    private final UnsentOutput unsentOutput;
    // Per connection.
    private ChannelOutboundInvoker outbound;
    private @Nullable MqttEncoder encoder;
    private boolean accepted;
    // Written by the event loop, read by any thread.
    private volatile boolean closing;
    // Bytes charged to the node's unsent output.
    private long chargedBytes;
    // Buffers written, and the progress of the operating system at the last call of takesOutput: complete buffers,
    // and bytes of the next one.
    private long writes;
    private long lastTakenBuffers;
    private long lastTakenBytes;
    // Per turn of the event loop.
    private @Nullable ByteBuf buffered;
    private boolean flushDue;
    private int unflushedBytes;
    // Pending bytes of the channel: those at the start of the turn, plus those written since.
    private long writtenBytes;

    public NettyConnection(
            Channel channel,
            NettyEventLoop eventLoop,
            ConnectionLimits limits,
            UnsentOutput unsentOutput,
            TransportMetrics metrics) {
        this.channel = channel;
        this.eventLoop = eventLoop;
        this.limits = limits;
        this.metrics = metrics;
        this.unsentOutput = unsentOutput;
        this.counts = metrics.of(eventLoop);
        this.gate = new InboundGate(channel, eventLoop, limits.packetsPerTurn());
        this.outbound = channel;
    }

    /** Sets the handler through which output enters the pipeline, to skip handlers that only process input. */
    public void writeThrough(ChannelOutboundInvoker handler) {
        eventLoop.assertCurrent();
        outbound = handler;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public SocketAddress remoteAddress() {
        return channel.remoteAddress();
    }

    /** Sets the version and limits from the client's CONNECT. Nothing can be sent before. */
    public void setVersion(MqttVersion version, ConnectProperties properties) {
        eventLoop.assertCurrent();
        encoder = new MqttEncoder(version, properties);
    }

    /** Returns whether {@link #setVersion} was called. */
    public boolean hasVersion() {
        return encoder != null;
    }

    /** Returns the gate that decides when the client's packets are read and decoded. */
    public InboundGate gate() {
        return gate;
    }

    @Override
    public void pauseReading() {
        eventLoop.assertCurrent();
        gate.setSessionPaused(true);
    }

    @Override
    public void resumeReading() {
        eventLoop.assertCurrent();
        gate.setSessionPaused(false);
    }

    /** Returns whether this side has closed the connection. */
    boolean isClosing() {
        return closing;
    }

    @Override
    public boolean send(MqttPacket packet) {
        eventLoop.assertCurrent();
        if (!isOpen()) {
            return false;
        }
        MqttEncoder peerEncoder = encoder;
        if (peerEncoder == null) {
            throw new IllegalStateException("a packet was sent before the version was set from CONNECT");
        }
        if (!flushDue) {
            beginTurn();
        }
        if (isFull()) {
            refuse(packet);
            return false;
        }
        ByteBuf out = buffer();
        int size = packet instanceof PublishPacket publish
                ? eventLoop.variants().encode(publish, peerEncoder, out)
                : peerEncoder.encode(packet, out);
        if (size == MqttEncoder.TOO_LARGE) {
            metrics.unsentTooLarge();
            return false;
        }
        counts.sent(packet);
        if (packet instanceof ConnAckPacket connAck) {
            accepted = connAck.reason() == ReasonCode.SUCCESS;
        }
        if (out.readableBytes() >= FULL_BUFFER_BYTES) {
            buffered = null;
            write(out);
        }
        return true;
    }

    private void beginTurn() {
        flushDue = true;
        eventLoop.flushLater(this);
        writtenBytes = pendingBytes();
    }

    /** Queries the channel only if the known bytes reach the limit, because it may have written some of them meanwhile. */
    private boolean isFull() {
        long limit = limits.outboundLimitBytes();
        if (writtenBytes + bufferedBytes() < limit) {
            return false;
        }
        writtenBytes = pendingBytes();
        return writtenBytes + bufferedBytes() >= limit;
    }

    private void refuse(MqttPacket packet) {
        if (packet instanceof PublishPacket publish && publish.qos() == QoS.AT_MOST_ONCE) {
            metrics.unsentSlowConsumer();
            return;
        }
        // The client depends on this packet, and waiting for it to read earlier output would be unbounded.
        metrics.connectionOverflowed(limits.outboundLimitBytes(), remoteAddress());
        abort();
    }

    private ByteBuf buffer() {
        ByteBuf out = buffered;
        if (out == null) {
            out = channel.alloc().ioBuffer(FIRST_BUFFER_BYTES);
            buffered = out;
        }
        return out;
    }

    private long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes();
    }

    private int bufferedBytes() {
        ByteBuf out = buffered;
        return out == null ? 0 : out.readableBytes();
    }

    /**
     * Writes the output of this turn. Called by the event loop at the end of the turn. A bug here closes only this connection,
     * because the loop must write the others.
     */
    void endTurn() {
        try {
            flush();
        } catch (RuntimeException fault) {
            onBug(fault);
        }
    }

    /** Reports a bug and closes the connection. */
    void onBug(RuntimeException fault) {
        metrics.faultFound();
        LOG.error(
                "Unexpected exception; connection closed. Please report this with its stack trace: {}", channel, fault);
        abort();
    }

    private void flush() {
        flushDue = false;
        unflushedBytes = 0;
        ByteBuf out = buffered;
        buffered = null;
        if (out == null) {
            outbound.flush();
        } else if (out.isReadable()) {
            count(out);
            // A failure arrives through the pipeline as an exception.
            var _ = outbound.writeAndFlush(out, channel.voidPromise());
        } else {
            out.release();
            outbound.flush();
        }
    }

    /** Writes a full buffer; it is flushed with the rest at the end of the turn. */
    private void write(ByteBuf full) {
        count(full);
        unflushedBytes += full.readableBytes();
        var _ = outbound.write(full, channel.voidPromise());
        if (unflushedBytes >= FLUSH_BYTES) {
            unflushedBytes = 0;
            outbound.flush();
        }
    }

    private void count(ByteBuf out) {
        int bytes = out.readableBytes();
        counts.sent(bytes);
        writes++;
        writtenBytes += bytes;
    }

    @Override
    public boolean isWritable() {
        eventLoop.assertCurrent();
        return isOpen() && channel.isWritable() && bufferedBytes() <= limits.highWatermarkBytes();
    }

    @Override
    public boolean hasRoom() {
        if (isWritable()) {
            return true;
        }
        long unsentBytes = unsentBytes();
        return isOpen() && unsentBytes < limits.burstLimitBytes() && charge(unsentBytes);
    }

    @Override
    public boolean isCongested() {
        if (isWritable()) {
            return false;
        }
        return unsentBytes() >= limits.congestionBytes() || unsentOutput.isScarceFor(chargedBytes + FULL_BUFFER_BYTES);
    }

    @Override
    public boolean takesOutput() {
        eventLoop.assertCurrent();
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        if (pending == null) {
            return true;
        }
        long takenBuffers = writes - pending.size();
        long takenBytes = pending.currentProgress();
        boolean taken = pending.isEmpty() || takenBuffers != lastTakenBuffers || takenBytes != lastTakenBytes;
        lastTakenBuffers = takenBuffers;
        lastTakenBytes = takenBytes;
        return taken;
    }

    private long unsentBytes() {
        return pendingBytes() + bufferedBytes();
    }

    /**
     * Charges unsent output of a client that does not read to the node, in large steps; returns false if its share is used up.
     */
    private boolean charge(long unsentBytes) {
        while (chargedBytes < unsentBytes) {
            if (!unsentOutput.tryCharge(FULL_BUFFER_BYTES, chargedBytes)) {
                return false;
            }
            chargedBytes += FULL_BUFFER_BYTES;
        }
        return true;
    }

    /** Releases the charge after the unsent output has fallen below the low watermark or the connection is gone. */
    void releaseCharge() {
        if (chargedBytes > 0) {
            unsentOutput.release(chargedBytes);
            chargedBytes = 0;
        }
    }

    @Override
    public boolean isOpen() {
        return !closing && channel.isActive();
    }

    /**
     * Sends the reason, if the client's version and the state of the connection allow it, and closes. The reason is replaced by
     * the nearest one that the packet may carry.
     */
    public void end(ReasonCode reason, String reasonString) {
        end(DisconnectPacket.of(reason, reasonString));
    }

    void end(DisconnectPacket farewell) {
        eventLoop.assertCurrent();
        ReasonCode reason = farewell.reason();
        MqttEncoder peerEncoder = encoder;
        if (peerEncoder != null && isOpen()) {
            if (!accepted) {
                if (peerEncoder.canRefuseWith(reason)) {
                    send(ConnAckPacket.refusal(MqttEncoder.connAckReason(reason), farewell.reasonString()));
                }
            } else if (peerEncoder.version().hasProperties()) {
                send(farewell.with(MqttEncoder.disconnectReason(reason)));
            }
        }
        close();
    }

    @Override
    public void close() {
        eventLoop.assertCurrent();
        if (closing) {
            return;
        }
        closing = true;
        gate.onClosing();
        flush();
        if (!channel.isActive()) {
            return;
        }
        Future<?> deadline =
                channel.eventLoop().schedule(this::abort, limits.closeTimeout().toNanos(), TimeUnit.NANOSECONDS);
        channel.closeFuture().addListener(closed -> deadline.cancel(false));
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> endOutput());
    }

    /** Closes immediately and discards pending output. */
    void abort() {
        eventLoop.assertCurrent();
        closing = true;
        gate.onClosing();
        var _ = channel.close();
    }

    private void endOutput() {
        if (channel instanceof DuplexChannel duplex && channel.isActive()) {
            var _ = duplex.shutdownOutput();
        } else {
            abort();
        }
    }
}
