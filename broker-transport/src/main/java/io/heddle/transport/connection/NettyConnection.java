package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.client.ClientCertificate;
import io.heddle.core.client.ClientNames;
import io.heddle.core.client.Connection;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.client.EventLoop;
import io.heddle.core.mqtt.BinaryData;
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
import io.heddle.transport.tls.PeerCertificate;
import io.netty.buffer.ByteBuf;
import io.netty.channel.Channel;
import io.netty.channel.ChannelOutboundInvoker;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The outbound side of one client's connection. Owned by its event loop. {@link ConnectionOutput} holds the packets.
 *
 * <p>States: open; closing (writes pending output, ends its output and waits for the client's end of stream, so that the client can read the
 * reason); closed. Bound: {@link ConnectionLimits#outboundLimitBytes} plus one packet; for QoS 0 messages {@link
 * ConnectionLimits#burstLimitBytes} plus one packet, and {@link UnsentOutput} for all connections above their high watermarks, and for all
 * large payloads that any of them has not sent.
 */
@HotPath
public final class NettyConnection implements Connection {
    private static final Logger LOG = LoggerFactory.getLogger(NettyConnection.class);

    // Dependencies.
    private final Channel channel;
    private final NettyEventLoop eventLoop;
    private final ConnectionLimits limits;
    private final TransportMetrics metrics;
    private final TurnCounts counts;
    private final InboundGate gate;
    private final ListenerConnections listener;
    private final UnsentOutput unsentOutput;
    private final OutputCharge charge;
    private final ConnectionOutput output;
    // Per connection.
    private final ClientNames names = new ClientNames();
    private @Nullable MqttEncoder encoder;
    private boolean accepted;
    private @Nullable SocketAddress reportedAddress;
    private DisconnectCause disconnectCause = DisconnectCause.CLOSED_BY_CLIENT;
    // Per turn of the event loop.
    private boolean flushDue;

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
        this.unsentOutput = unsentOutput;
        this.charge = new OutputCharge(unsentOutput);
        this.counts = metrics.of(eventLoop);
        this.gate = new InboundGate(channel, eventLoop, limits.packetsPerTurn());
        this.output =
                new ConnectionOutput(channel, counts::sent, listener.kind().isEncrypted());
    }

    /** Sets the handler through which output enters the pipeline, to skip handlers that only process input. */
    public void writeThrough(ChannelOutboundInvoker handler) {
        eventLoop.assertCurrent();
        output.writeThrough(handler);
    }

    /** Sets the frames that carry the output from now on. */
    public void frameOutput(OutputFraming frames) {
        eventLoop.assertCurrent();
        output.frameOutput(frames);
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
    public ClientNames names() {
        return names;
    }

    @Override
    public String listener() {
        return listener.name();
    }

    @Override
    public @Nullable ClientCertificate certificate() {
        return PeerCertificate.of(channel);
    }

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
        OutputFraming framing = output.framing();
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
            output.beginTurn();
        }
        if (output.isAtLimit(limits.outboundLimitBytes())) {
            refuse(packet);
            return false;
        }
        try {
            if (encode(packet, peerEncoder) == MqttEncoder.TOO_LARGE) {
                metrics.unsentTooLarge();
                return false;
            }
        } catch (OutOfMemoryError noDirectMemory) {
            // Thrown by libraries for direct memory. Other recipients of the same message are not affected.
            onDirectMemoryExhausted(packet);
            return false;
        }
        counts.sent(packet, this);
        if (packet instanceof ConnAckPacket connAck) {
            accepted = connAck.reason() == ReasonCode.SUCCESS;
        }
        return true;
    }

    private int encode(MqttPacket packet, MqttEncoder peerEncoder) {
        ByteBuf out = output.buffer();
        if (!(packet instanceof PublishPacket publish)) {
            int size = peerEncoder.encode(packet, out);
            output.appended();
            return size;
        }
        if (!isLarge(publish.payload())) {
            int size = eventLoop.variants().encode(publish, peerEncoder, out);
            output.appended();
            return size;
        }
        int size = peerEncoder.encodeWithoutPayload(publish, out);
        if (size != MqttEncoder.TOO_LARGE) {
            output.append(eventLoop.shared(publish.payload(), unsentOutput));
        }
        return size;
    }

    private static boolean isLarge(BinaryData payload) {
        return payload.length() >= LARGE_PAYLOAD_BYTES;
    }

    private void onDirectMemoryExhausted(MqttPacket packet) {
        metrics.directMemoryExhausted(remoteAddress());
        boolean isWhole = packet instanceof PublishPacket publish && !isLarge(publish.payload());
        if (!isWhole || !mayBeDropped(packet)) {
            endsBecause(DisconnectCause.UNREAD_OUTPUT);
            abort();
        }
    }

    private static boolean mayBeDropped(MqttPacket packet) {
        return packet instanceof PublishPacket publish && publish.qos() == QoS.AT_MOST_ONCE;
    }

    private void refuse(MqttPacket packet) {
        if (mayBeDropped(packet)) {
            metrics.unsentSlowConsumer();
            return;
        }
        // The client depends on this packet, and waiting for it to read earlier output would be unbounded.
        metrics.connectionOverflowed(limits.outboundLimitBytes(), remoteAddress());
        endsBecause(DisconnectCause.UNREAD_OUTPUT);
        abort();
    }

    /**
     * Writes the output of this turn. Called by the event loop at the end of the turn. A bug here closes only this connection,
     * because the loop must write the others.
     */
    void endTurn() {
        try {
            flush();
            output.report();
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

    /** Writes the output so far, as far as the client has read earlier output. */
    public void flush() {
        flushDue = false;
        output.flush();
    }

    /** Writes output that waits for the client to read, as far as there is room. */
    void feed() {
        try {
            output.feed();
        } catch (OutOfMemoryError noDirectMemory) {
            metrics.directMemoryExhausted(remoteAddress());
            endsBecause(DisconnectCause.UNREAD_OUTPUT);
            abort();
        }
    }

    /** Returns whether output waits for the client to read. */
    boolean isBlocked() {
        return output.isBlocked();
    }

    @Override
    public boolean isWritable() {
        eventLoop.assertCurrent();
        return isOpen() && output.isWritable(limits.highWatermarkBytes());
    }

    @Override
    public boolean hasRoomFor(BinaryData payload) {
        if (isLarge(payload) && !eventLoop.shared(payload, unsentOutput).isCharged()) {
            return false;
        }
        return isWritable()
                || (isOpen() && output.unsentBytes() < limits.burstLimitBytes() && charge.covers(output.directBytes()));
    }

    @Override
    public boolean isCongested() {
        return !isWritable() && (output.unsentBytes() >= limits.congestionBytes() || charge.isScarce());
    }

    @Override
    public boolean takesOutput() {
        eventLoop.assertCurrent();
        return output.hasAdvanced();
    }

    @Override
    public int unfinishedBytes() {
        eventLoop.assertCurrent();
        return gate.unfinishedBytes();
    }

    /** Releases the charge after the unsent output has fallen below the low watermark or the connection is gone. */
    void releaseCharge() {
        charge.release();
    }

    /** Drops the output of a closed channel. */
    void discardOutput() {
        output.discard();
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
        OutputFraming framing = output.framing();
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
            OutputEnd.of(channel, output, limits.closeTimeout(), this::abort);
        }
    }

    /** Closes immediately and discards pending output. */
    void abort() {
        gate.onClosing();
        var _ = channel.close();
    }
}
