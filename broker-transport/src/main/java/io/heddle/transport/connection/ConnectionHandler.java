package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.transport.codec.Remainder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import org.jspecify.annotations.Nullable;

/**
 * The only inbound door: hands each packet to the session, in order. Owned by the connection's event loop.
 *
 * <p>States: awaiting CONNECT; connecting, while core authenticates: later packets are neither read nor decoded; connected;
 * closed. When a connection closes while it is connecting, its session learns it as soon as it exists. When it closes while received
 * packets wait for the gate, its session gets them first, in as many turns as they need.
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
    // For the connection.
    private State state = State.AWAITING_CONNECT;
    private Sessions.@Nullable Session session;

    /** The inbound door of a connection that was admitted and leaves when this handler is removed. */
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

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        MqttPacket packet = (MqttPacket) message;
        counts.received(packet);
        if (connection.isClosing()) {
            // This side has closed: packets that the client sent before it noticed have no effect.
            return;
        }
        switch (state) {
            case AWAITING_CONNECT -> connect((ConnectPacket) packet);
            case CONNECTED -> receive(packet);
            // Packets behind CONNECT come here only when the client has closed the connection before it was answered.
            case CONNECTING, CLOSED -> {}
        }
    }

    private void connect(ConnectPacket packet) {
        state = State.CONNECTING;
        connection.speak(packet.version(), packet.properties());
        connection.gate().connecting(true);
        sessions.connect(connection, packet, this::established);
    }

    private void established(Sessions.Session established) {
        if (state == State.CLOSED) {
            established.connectionLost();
            return;
        }
        state = State.CONNECTED;
        session = established;
        connection.gate().connecting(false);
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
            // We have said our last word. The session does not wait for the client to close its side.
            lost();
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        Sessions.Session connected = session;
        boolean writable = context.channel().isWritable();
        connection.gate().unwritable(!writable);
        if (!writable && connected != null) {
            connected.becameUnwritable();
        }
        if (connection.isWritable()) {
            connection.discharge();
            if (connected != null) {
                connected.becameWritable();
            }
        }
        super.channelWritabilityChanged(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (remainder.isWaiting() && state == State.CONNECTED) {
            connection.gate().lost(this::takeRemainder);
        } else {
            lost();
        }
        super.channelInactive(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        // Comes for every closed channel, also for one that was never active, and last of all.
        connection.discharge();
        if (!remainder.isWaiting() || state != State.CONNECTED) {
            leave();
        }
    }

    private void takeRemainder() {
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
            // The client is not there any more to be told.
        } catch (RuntimeException fault) {
            connection.struckBy(fault);
        }
        leave();
    }

    private void leave() {
        lost();
        remainder.drop();
        openConnections.leave(connection);
    }

    private void lost() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        Sessions.Session lost = session;
        session = null;
        if (lost != null) {
            lost.connectionLost();
        }
    }
}
