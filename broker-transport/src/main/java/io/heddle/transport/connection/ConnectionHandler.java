package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.transport.codec.Remainder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * Passes each inbound packet to the session, in order. Owned by the connection's event loop.
 *
 * <p>States: awaiting CONNECT; connecting, while core authenticates and later packets are neither read nor decoded; connected;
 * closed. If the connection closes while connecting, the session is notified as soon as it exists. If it closes while received
 * packets wait for the gate, the session first receives those packets, in as many turns as needed.
 */
@HotPath
public final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    private enum State {
        AWAITING_CONNECT,
        CONNECTING,
        CONNECTED,
        CLOSED
    }

    // Dependencies.
    private final NettyConnection connection;
    private final Sessions sessions;
    private final OpenConnections openConnections;
    private final TurnCounts counts;
    private final Remainder remainder;
    // Per connection.
    private State state = State.AWAITING_CONNECT;
    private Sessions.@Nullable Session session;

    /** Creates the handler of an admitted connection, which leaves {@link OpenConnections} when this handler is removed. */
    public ConnectionHandler(
            NettyConnection connection,
            Sessions sessions,
            OpenConnections openConnections,
            TurnCounts counts,
            Remainder remainder) {
        this.connection = connection;
        this.sessions = sessions;
        this.openConnections = openConnections;
        this.counts = counts;
        this.remainder = remainder;
    }

    /** Returns the authenticated user name of the client; null if it has none, or no session. */
    public @Nullable String userName() {
        Sessions.Session connected = session;
        return connected == null ? null : connected.userName();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        MqttPacket packet = (MqttPacket) message;
        counts.received(packet);
        if (connection.isClosing()) {
            // This side has closed: later packets have no effect.
            return;
        }
        switch (state) {
            case AWAITING_CONNECT -> connect((ConnectPacket) packet);
            case CONNECTED -> receive(packet);
            // Packets after CONNECT arrive here only if the client closed the connection before the CONNACK.
            case CONNECTING, CLOSED -> {}
        }
    }

    private void connect(ConnectPacket packet) {
        state = State.CONNECTING;
        connection.setVersion(packet.version(), packet.properties());
        if (!connection.acceptedBy().allows(packet.version())) {
            connection.acceptedBy().refuse(ConnectionRefusal.PROTOCOL_VERSION);
            throw new ProtocolException(
                    ReasonCode.UNSUPPORTED_PROTOCOL_VERSION, "this listener does not allow the version of MQTT");
        }
        connection.gate().setConnecting(true);
        sessions.connect(connection, packet, this::onConnected);
    }

    private void onConnected(Sessions.Session created) {
        connection.eventLoop().assertCurrent();
        if (state == State.CLOSED) {
            created.onConnectionLost();
            return;
        }
        state = State.CONNECTED;
        session = created;
        connection.gate().setConnecting(false);
    }

    private void receive(MqttPacket packet) {
        Sessions.Session connected = session;
        if (connected != null) {
            connected.receive(packet);
        }
        connection.gate().packetProcessed();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelOutputShutdownEvent) {
            // This side has ended its output. The session does not wait for the client to close its side.
            endSession();
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        Sessions.Session connected = session;
        boolean writable = context.channel().isWritable();
        connection.gate().setUnwritable(!writable);
        if (!writable && connected != null) {
            connected.onUnwritable();
        }
        if (connection.isWritable()) {
            connection.releaseCharge();
            if (connected != null) {
                connected.onWritable();
            }
        }
        super.channelWritabilityChanged(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (remainder.isWaiting() && state == State.CONNECTED) {
            connection.gate().onConnectionLost(this::drainRemainder);
        } else {
            endSession();
        }
        super.channelInactive(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        // Called last for every closed channel, even if it was never active.
        connection.releaseCharge();
        if (!remainder.isWaiting() || state != State.CONNECTED) {
            leave();
        }
    }

    private void drainRemainder() {
        try {
            while (state == State.CONNECTED && !connection.isClosing()) {
                if (!connection.gate().admitsPacket(remainder.isNextHeavy())) {
                    return;
                }
                MqttPacket packet = remainder.next();
                if (packet == null) {
                    break;
                }
                counts.received(packet);
                receive(packet);
            }
        } catch (ProtocolException _) {
            // The client is disconnected, so the violation cannot be answered.
        } catch (RuntimeException fault) {
            connection.onBug(fault);
        }
        leave();
    }

    private void leave() {
        endSession();
        remainder.drop();
        openConnections.leave(connection);
    }

    private void endSession() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        Sessions.Session ended = session;
        session = null;
        if (ended != null) {
            ended.onConnectionLost();
        }
    }
}
