package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.Connection;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
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
 * The outbound door of one client. Owned by its event loop. Packets are encoded into one buffer, which is written once at the
 * end of the loop's turn, or earlier in pieces when it grows large.
 *
 * <p>States: open, closing (writes what is left, then ends its output and waits for the client's end, so that the client can
 * read why), closed. Bound: {@link ConnectionLimits#outboundLimitBytes} plus one packet; of QoS 0 messages {@link
 * ConnectionLimits#burstLimitBytes} plus one packet, and those of all connections above their high watermarks {@link
 * UnsentOutput}.
 */
@HotPath
public final class NettyConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);
    private static final int FIRST_BUFFER_BYTES = 256;
    private static final int FULL_BUFFER_BYTES = 64 * 1024;
    /** So much is handed to the system before the turn ends, so that large messages do not pile up here. */
    private static final int FLUSH_BYTES = 4 * FULL_BUFFER_BYTES;

    // Dependencies.
    private final Channel channel;
    private final NettyEventLoop eventLoop;
    private final ConnectionLimits limits;
    private final TransportMetrics metrics;
    private final TurnCounts counts;
    private final InboundGate gate;
    private final UnsentOutput unsentOutput;
    // For the connection.
    private ChannelOutboundInvoker outbound;
    private @Nullable MqttEncoder encoder;
    private boolean accepted;
    // Written by the event loop; any thread may ask whether the connection is open.
    private volatile boolean closing;
    // What is charged to the node's unsent output.
    private long chargedBytes;
    // Buffers that were written, and how much the system had taken when the session asked last: buffers, and bytes of
    // the next.
    private long writes;
    private long lastTakenBuffers;
    private long lastTakenBytes;
    // For one turn of the event loop.
    private @Nullable ByteBuf gathered;
    private boolean flushDue;
    private int unflushedBytes;
    // What waits in the channel: known when the turn began, plus what was written since.
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

    /** Where what is sent enters the pipeline: past the handlers that have nothing to do with it. */
    public void writeThrough(ChannelOutboundInvoker handler) {
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

    /** What the client's CONNECT says about how to talk to it. Before this nothing can be sent. */
    public void speak(MqttVersion version, ConnectProperties properties) {
        eventLoop.assertCurrent();
        encoder = new MqttEncoder(version, properties);
    }

    /** Whether {@link #speak} was called. */
    public boolean isSpoken() {
        return encoder != null;
    }

    /** Decides when the client's packets are read and decoded. */
    public InboundGate gate() {
        return gate;
    }

    @Override
    public void pauseReading() {
        eventLoop.assertCurrent();
        gate.session(true);
    }

    @Override
    public void resumeReading() {
        eventLoop.assertCurrent();
        gate.session(false);
    }

    /** Whether this side has closed the connection. */
    boolean isClosing() {
        return closing;
    }

    @Override
    public boolean send(MqttPacket packet) {
        eventLoop.assertCurrent();
        if (!isOpen()) {
            return false;
        }
        MqttEncoder spoken = encoder;
        if (spoken == null) {
            throw new IllegalStateException("nothing can be sent before CONNECT told the version");
        }
        if (!flushDue) {
            beginTurn();
        }
        if (isFull()) {
            refuse(packet);
            return false;
        }
        ByteBuf out = gathered();
        int size = packet instanceof PublishPacket publish
                ? eventLoop.variants().encode(publish, spoken, out)
                : spoken.encode(packet, out);
        if (size == MqttEncoder.TOO_LARGE) {
            metrics.unsentTooLarge();
            return false;
        }
        counts.sent(packet);
        if (packet instanceof ConnAckPacket connAck) {
            accepted = connAck.reason() == ReasonCode.SUCCESS;
        }
        if (out.readableBytes() >= FULL_BUFFER_BYTES) {
            gathered = null;
            write(out);
        }
        return true;
    }

    private void beginTurn() {
        flushDue = true;
        eventLoop.flushLater(this);
        writtenBytes = pendingBytes();
    }

    /** Looks at the channel only when what is known could be too much: it may have written some of it meanwhile. */
    private boolean isFull() {
        long limit = limits.outboundLimitBytes();
        if (writtenBytes + gatheredBytes() < limit) {
            return false;
        }
        writtenBytes = pendingBytes();
        return writtenBytes + gatheredBytes() >= limit;
    }

    private void refuse(MqttPacket packet) {
        if (packet instanceof PublishPacket publish && publish.qos() == QoS.AT_MOST_ONCE) {
            metrics.unsentSlowConsumer();
            return;
        }
        // The client depends on this packet, and waiting for it to read what came before would have no bound.
        metrics.connectionOverflowed();
        abort();
    }

    private ByteBuf gathered() {
        ByteBuf out = gathered;
        if (out == null) {
            out = channel.alloc().ioBuffer(FIRST_BUFFER_BYTES);
            gathered = out;
        }
        return out;
    }

    private long pendingBytes() {
        ChannelOutboundBuffer pending = channel.unsafe().outboundBuffer();
        return pending == null ? 0 : pending.totalPendingWriteBytes();
    }

    private int gatheredBytes() {
        ByteBuf out = gathered;
        return out == null ? 0 : out.readableBytes();
    }

    /**
     * Writes what this turn gathered. Called by the event loop at the end of the turn. A bug that strikes here is this
     * connection's trouble alone: the loop has others to write to.
     */
    void endTurn() {
        try {
            flush();
        } catch (RuntimeException fault) {
            struckBy(fault);
        }
    }

    /** Closes the connection because of a bug. */
    void struckBy(RuntimeException fault) {
        metrics.faultFound();
        LOG.error("A bug closed the connection {}: please report this with its stack trace", channel, fault);
        abort();
    }

    private void flush() {
        flushDue = false;
        unflushedBytes = 0;
        ByteBuf out = gathered;
        gathered = null;
        if (out == null) {
            outbound.flush();
        } else if (out.isReadable()) {
            count(out);
            // A failure comes back through the pipeline as an exception.
            var _ = outbound.writeAndFlush(out, channel.voidPromise());
        } else {
            out.release();
            outbound.flush();
        }
    }

    /** Hands a full buffer on; it is flushed with the rest when the turn ends. */
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
        return isOpen() && channel.isWritable() && gatheredBytes() <= limits.highWatermarkBytes();
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
        return pendingBytes() + gatheredBytes();
    }

    /** Charges the node, in large steps, for what a client that does not read makes it hold; false when it has its share. */
    private boolean charge(long unsentBytes) {
        while (chargedBytes < unsentBytes) {
            if (!unsentOutput.tryTake(FULL_BUFFER_BYTES, chargedBytes)) {
                return false;
            }
            chargedBytes += FULL_BUFFER_BYTES;
        }
        return true;
    }

    /** The client has read, or is gone: its unsent output is below the low watermark. */
    void discharge() {
        if (chargedBytes > 0) {
            unsentOutput.giveBack(chargedBytes);
            chargedBytes = 0;
        }
    }

    @Override
    public boolean isOpen() {
        return !closing && channel.isActive();
    }

    /**
     * Tells the client why, as far as its version and the state of the conversation allow, and closes. The reason is replaced
     * by the nearest one that the answering packet may carry.
     */
    public void end(ReasonCode reason, String reasonString) {
        eventLoop.assertCurrent();
        MqttEncoder spoken = encoder;
        if (spoken != null && isOpen()) {
            if (!accepted) {
                if (spoken.canRefuseWith(reason)) {
                    send(new ConnAckPacket(
                            false, MqttEncoder.connAckReason(reason), ConnAckProperties.ofReasonString(reasonString)));
                }
            } else if (spoken.version().hasProperties()) {
                send(DisconnectPacket.of(MqttEncoder.disconnectReason(reason), reasonString));
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
        gate.closing();
        flush();
        if (!channel.isActive()) {
            return;
        }
        Future<?> deadline =
                channel.eventLoop().schedule(this::abort, limits.closeTimeout().toNanos(), TimeUnit.NANOSECONDS);
        channel.closeFuture().addListener(closed -> deadline.cancel(false));
        channel.writeAndFlush(Unpooled.EMPTY_BUFFER).addListener(written -> endOutput());
    }

    /** Closes at once, without writing what is left. */
    void abort() {
        closing = true;
        gate.closing();
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
