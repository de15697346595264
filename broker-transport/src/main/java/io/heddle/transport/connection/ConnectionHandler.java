package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * The only inbound door: hands each packet to the session, in order. Owned by the connection's event loop.
 *
 * <p>States: awaiting CONNECT; connecting, while core authenticates: nothing more is read, and what the last read brought
 * waits here (which bounds it); connected; closed. A connection that closes while connecting is told to the session as soon
 * as there is one.
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
    // For the connection.
    private State state = State.AWAITING_CONNECT;
    private Sessions.@Nullable Session session;
    private @Nullable ArrayDeque<MqttPacket> waiting;

    /** The inbound door of a connection that was admitted and leaves when this handler is removed. */
    public ConnectionHandler(
            NettyConnection connection, Sessions sessions, OpenConnections openConnections, TurnCounts counts) {
        this.connection = connection;
        this.sessions = sessions;
        this.openConnections = openConnections;
        this.counts = counts;
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        MqttPacket packet = (MqttPacket) message;
        counts.received(packet);
        if (!connection.isOpen()) {
            // We have closed, and what the client sent before it saw that has no one to go to.
            return;
        }
        switch (state) {
            case AWAITING_CONNECT -> connect(context, (ConnectPacket) packet);
            case CONNECTING -> waitFor(packet);
            case CONNECTED -> receive(packet);
            case CLOSED -> {}
        }
    }

    private void connect(ChannelHandlerContext context, ConnectPacket packet) {
        state = State.CONNECTING;
        connection.speak(packet.version(), packet.properties());
        sessions.connect(connection, packet, established -> established(context, established));
        if (state == State.CONNECTING && connection.isOpen()) {
            context.channel().config().setAutoRead(false);
        }
    }

    private void waitFor(MqttPacket packet) {
        ArrayDeque<MqttPacket> queue = waiting;
        if (queue == null) {
            queue = new ArrayDeque<>();
            waiting = queue;
        }
        queue.add(packet);
    }

    private void established(ChannelHandlerContext context, Sessions.Session established) {
        if (state == State.CLOSED) {
            established.connectionLost();
            return;
        }
        state = State.CONNECTED;
        session = established;
        ArrayDeque<MqttPacket> queue = waiting;
        waiting = null;
        if (queue != null) {
            try {
                while (!queue.isEmpty() && connection.isOpen()) {
                    receive(queue.remove());
                }
            } catch (RuntimeException fault) {
                // Core called us, but the fault is this connection's: it takes the way of those found while reading.
                context.fireExceptionCaught(fault);
            }
        }
        if (!connection.isPaused()) {
            context.channel().config().setAutoRead(true);
        }
    }

    private void receive(MqttPacket packet) {
        Sessions.Session connected = session;
        if (connected != null) {
            connected.receive(packet);
        }
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
        if (connected != null && connection.isWritable()) {
            connected.becameWritable();
        }
        super.channelWritabilityChanged(context);
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        lost();
        super.channelInactive(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        // Comes for every closed channel, also for one that was never active, and last of all.
        lost();
        openConnections.leave(connection);
    }

    private void lost() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        waiting = null;
        Sessions.Session lost = session;
        session = null;
        if (lost != null) {
            lost.connectionLost();
        }
    }
}
