package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
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
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbound side of one client's connection. Owned by its event loop. Packets are encoded into one buffer, which is written at the end of
 * the loop's turn, or earlier in pieces if it grows large.
 *
 * <p>States: open; closing (writes pending output, ends its output and waits for the client's end of stream, so that the client can read the
 * reason); closed. Bound: {@link ConnectionLimits#outboundLimitBytes} plus one packet; for QoS 0 messages {@link
 * ConnectionLimits#burstLimitBytes} plus one packet, and {@link UnsentOutput} for all connections above their high watermarks.
 */
@HotPath
public final class NettyConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);
    private static final int FIRST_BUFFER_BYTES = 256;
    private static final int FULL_BUFFER_BYTES = 64 * 1024;
    /** Written output of this size is flushed before the turn ends. */
    private static final int FLUSH_BYTES = 4 * FULL_BUFFER_BYTES;

    // Dependencies.
    private final Channel channel;
    private final NettyEventLoop eventLoop;
    private final ConnectionLimits limits;
    private final TransportMetrics metrics;
    private final TurnCounts counts;
    private final InboundGate gate;
    private final ListenerConnections listener;
    private final OutputCharge charge;
    private final OutputProgress progress;
    // Per connection.
    private ChannelOutboundInvoker outbound;
    private @Nullable MqttEncoder encoder;
    private boolean accepted;
    private @Nullable OutputFraming framing;
    private @Nullable SocketAddress reportedAddress;
    private DisconnectCause disconnectCause = DisconnectCause.CLOSED_BY_CLIENT;
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
            ListenerConnections listener,
            UnsentOutput unsentOutput,
            TransportMetrics metrics) {
        this.channel = channel;
        this.eventLoop = eventLoop;
        this.limits = limits;
        this.metrics = metrics;
        this.listener = listener;
        this.charge = new OutputCharge(unsentOutput);
        this.progress = new OutputProgress(channel, listener.kind().isEncrypted());
        this.counts = metrics.of(eventLoop);
        this.gate = new InboundGate(channel, eventLoop, limits.packetsPerTurn());
        this.outbound = channel;
    }

    /** Sets the handler through which output enters the pipeline, to skip handlers that only process input. */
    public void writeThrough(ChannelOutboundInvoker handler) {
        eventLoop.assertCurrent();
        outbound = handler;
    }

    /** Sets the frames that carry the output from now on. */
    public void frameOutput(OutputFraming frames) {
        eventLoop.assertCurrent();
        framing = frames;
    }

    @Override
    public EventLoop eventLoop() {
        return eventLoop;
    }

    @Override
    public SocketAddress remoteAddress() {
        return reportedAddress == null ? channel.remoteAddress() : reportedAddress;
    }

    /** Sets the client's address as a trusted proxy reports it. */
    public void setReportedAddress(SocketAddress address) {
        eventLoop.assertCurrent();
        reportedAddress = address;
    }

    @Override
    public String listener() {
        return listener.name();
    }

    /** Returns the listener that accepted the connection. */
    public ListenerConnections acceptedBy() {
        return listener;
    }

    /** Sets the version and limits from the client's CONNECT. Nothing can be sent before. */
    public void setVersion(MqttVersion version, ConnectProperties properties) {
        eventLoop.assertCurrent();
        encoder = new MqttEncoder(version, properties);
    }

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

    /** Notes why the connection ends. The first cause counts. */
    public void endsBecause(DisconnectCause cause) {
        disconnectCause = disconnectCause.equals(DisconnectCause.CLOSED_BY_CLIENT) ? cause : disconnectCause;
    }

    DisconnectCause disconnectCause() {
        return disconnectCause;
    }

    @Override
    public boolean send(MqttPacket packet) {
        eventLoop.assertCurrent();
        if (!isOpen() || (framing != null && framing.isEnded())) {
            return false;
        }
        MqttEncoder peerEncoder = encoder;
        if (peerEncoder == null) {
            throw new IllegalStateException("a packet was sent before the version was set from CONNECT");
        }
        if (!flushDue) {
            flushDue = true;
            eventLoop.flushLater(this);
            writtenBytes = pendingBytes();
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
        endsBecause(DisconnectCause.UNREAD_OUTPUT);
        abort();
    }

    private ByteBuf buffer() {
        ByteBuf out = buffered;
        if (out == null) {
            out = channel.alloc().ioBuffer(FIRST_BUFFER_BYTES);
            if (framing != null) {
                framing.reserve(out);
            }
            buffered = out;
        }
        return out;
    }

    private long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes();
    }

    private int bufferedBytes() {
        return buffered == null ? 0 : buffered.readableBytes();
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
        endsBecause(DisconnectCause.FAULT);
        LOG.error(
                "Unexpected exception; connection closed. Please report this with its stack trace: {}", channel, fault);
        abort();
    }

    /** Writes the output so far. */
    public void flush() {
        flushDue = false;
        unflushedBytes = 0;
        ByteBuf out = buffered;
        buffered = null;
        if (out == null) {
            outbound.flush();
        } else if (out.isReadable()) {
            finish(out);
            // A failure arrives through the pipeline as an exception.
            var _ = outbound.writeAndFlush(out, channel.voidPromise());
        } else {
            out.release();
            outbound.flush();
        }
    }

    /** Writes a full buffer; it is flushed with the rest at the end of the turn. */
    private void write(ByteBuf full) {
        unflushedBytes += full.readableBytes();
        finish(full);
        var _ = outbound.write(full, channel.voidPromise());
        if (unflushedBytes >= FLUSH_BYTES) {
            unflushedBytes = 0;
            outbound.flush();
        }
    }

    /** Counts a buffer of packets, and completes its frame. */
    private void finish(ByteBuf out) {
        int bytes = out.readableBytes();
        counts.sent(bytes);
        progress.written();
        writtenBytes += bytes;
        if (framing != null) {
            framing.complete(out);
        }
    }

    @Override
    public boolean isWritable() {
        eventLoop.assertCurrent();
        return isOpen() && channel.isWritable() && bufferedBytes() <= limits.highWatermarkBytes();
    }

    @Override
    public boolean hasRoom() {
        return isWritable() || (isOpen() && unsentBytes() < limits.burstLimitBytes() && charge.covers(unsentBytes()));
    }

    @Override
    public boolean isCongested() {
        return !isWritable() && (unsentBytes() >= limits.congestionBytes() || charge.isScarce());
    }

    @Override
    public boolean takesOutput() {
        eventLoop.assertCurrent();
        return progress.hasAdvanced();
    }

    @Override
    public int unfinishedBytes() {
        eventLoop.assertCurrent();
        return gate.unfinishedBytes();
    }

    private long unsentBytes() {
        return pendingBytes() + bufferedBytes();
    }

    /** Releases the charge after the unsent output has fallen below the low watermark or the connection is gone. */
    void releaseCharge() {
        charge.release();
    }

    @Override
    public boolean isOpen() {
        return !gate.isClosing() && channel.isActive();
    }

    @Override
    public boolean isDraining() {
        return gate.isDraining();
    }

    @Override
    public boolean isGone() {
        return gate.isGone();
    }

    @Override
    public void reject(ProtocolException violation) {
        eventLoop.assertCurrent();
        if (isOpen()) {
            channel.pipeline().fireExceptionCaught(violation);
        }
    }

    /** Sends the reason, or the nearest one that the packet may carry, if version and state allow it, and closes. */
    public void end(DisconnectPacket farewell) {
        eventLoop.assertCurrent();
        ReasonCode reason = farewell.reason();
        endsBecause(DisconnectCause.byTransport(reason, farewell.reasonString()));
        if (framing != null) {
            framing.closeFor(reason);
        }
        MqttEncoder peerEncoder = encoder;
        if (peerEncoder != null && isOpen()) {
            if (!accepted && peerEncoder.canRefuseWith(reason)) {
                send(ConnAckPacket.refusal(MqttEncoder.connAckReason(reason), farewell.reasonString()));
            } else if (accepted && peerEncoder.version().hasProperties()) {
                send(farewell.with(MqttEncoder.disconnectReason(reason)));
            }
        }
        close();
    }

    @Override
    public void close() {
        eventLoop.assertCurrent();
        if (gate.isClosing()) {
            return;
        }
        gate.onClosing();
        flush();
        if (channel.isActive()) {
            ByteBuf last = framing == null ? Unpooled.EMPTY_BUFFER : framing.lastFrame(channel.alloc());
            OutputEnd.of(channel, last, limits.closeTimeout(), this::abort);
        }
    }

    /** Closes immediately and discards pending output. */
    void abort() {
        gate.onClosing();
        var _ = channel.close();
    }
}
