package io.heddle.transport.connection;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.transport.codec.MqttDecoder;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.socket.ChannelInputShutdownEvent;
import io.netty.channel.socket.ChannelOutputShutdownEvent;
import io.netty.channel.socket.DuplexChannel;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Passes each inbound packet to the session, in order. Owned by the connection's event loop.
 *
 * <p>States: awaiting CONNECT; connecting, while core authenticates and later packets are neither read nor decoded; challenged, while core
 * waits for one packet of an exchange, after which it is connecting again; connected; closed. If the client ends its output, or the
 * connection closes, while received packets wait for the gate or for the session, the session first receives those packets, in as many turns
 * as needed; answers still reach a client that has only ended its output.
 * A client that has closed the connection behind its CONNECT is gone: its session is notified as soon as it exists.
 */
@HotPath
public final class ConnectionHandler extends ChannelInboundHandlerAdapter {
    /**
     * Longest time for which a half-closed socket stays open for answers. After a reset by the client, epoll would report it at each turn,
     * and nothing can be read from it.
     */
    private static final long HALF_CLOSED_SECONDS = 2;

    private enum State {
        AWAITING_CONNECT,
        CONNECTING,
        CHALLENGED,
        CONNECTED,
        CLOSED
    }

    // Dependencies.
    private final NettyConnection connection;
    private final Sessions sessions;
    private final OpenConnections openConnections;
    private final TurnCounts counts;
    private final MqttDecoder decoder;
    // Per connection.
    private State state = State.AWAITING_CONNECT;
    private boolean removed;
    // Null once the client is connected.
    private @Nullable NewConnection place;
    private Sessions.@Nullable Session session;

    /** Creates the handler of an admitted connection, which leaves {@link OpenConnections} when this handler is removed. */
    public ConnectionHandler(
            NettyConnection connection,
            Sessions sessions,
            OpenConnections openConnections,
            NewConnection place,
            TurnCounts counts,
            MqttDecoder decoder) {
        this.connection = connection;
        this.sessions = sessions;
        this.openConnections = openConnections;
        this.place = place;
        this.counts = counts;
        this.decoder = decoder;
    }

    /** Returns the authenticated user name of the client; null if it has none, or no session. */
    public @Nullable String userName() {
        Sessions.Session connected = session;
        return connected == null ? null : connected.userName();
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        MqttPacket packet = (MqttPacket) message;
        if (state == State.AWAITING_CONNECT && packet instanceof ConnectPacket connect) {
            connection.names().set(connect.clientId(), connect.userName());
        }
        counts.received(packet, connection);
        if (connection.gate().isClosing()) {
            // This side has closed: later packets have no effect.
            return;
        }
        switch (state) {
            case AWAITING_CONNECT -> connect((ConnectPacket) packet);
            case CONNECTED, CHALLENGED -> receive(packet);
            // The gate holds packets behind CONNECT back, and decodes none after the end.
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
            created.onConnectionLost(connection.disconnectCause());
            return;
        }
        session = created;
        if (created.isConnected()) {
            state = State.CONNECTED;
            if (place == null || place.connected()) {
                connection.gate().setConnecting(false);
            }
            place = null;
        } else {
            state = State.CHALLENGED;
            if (place != null) {
                place.challenged();
            }
            connection.gate().setChallenged();
        }
    }

    private void receive(MqttPacket packet) {
        if (state == State.CHALLENGED) {
            state = State.CONNECTING;
            if (place != null) {
                place.answered();
            }
            connection.gate().setConnecting(true);
        }
        Sessions.Session connected = session;
        if (connected != null) {
            connected.receive(packet);
        }
        connection.gate().packetProcessed();
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof ChannelInputShutdownEvent) {
            onInputEnded(context);
        } else if (event instanceof ChannelOutputShutdownEvent) {
            // This side has ended its output. The session does not wait for the client to close its side.
            endSession();
        }
        super.userEventTriggered(context, event);
    }

    /** The client has ended its output. What it has sent before is processed, and then the connection is closed. */
    private void onInputEnded(ChannelHandlerContext context) {
        if (state == State.AWAITING_CONNECT) {
            // Not through the handlers in front of MQTT, whose handshakes wait for the client.
            ChannelHandlerContext first = context.pipeline().firstContext();
            var _ = (first == null ? context : first).close();
        } else if (connection.gate().isClosing()) {
            // Output that is being written closes the channel when it ends.
            if (!(context.channel() instanceof DuplexChannel duplex) || duplex.isOutputShutdown()) {
                connection.abort();
            }
        } else if (decoder.hasRemainder()) {
            connection.gate().onInputEnded(() -> drainRemainder(context));
            // Packets that are left then are processed without the socket.
            Runnable closing = () -> {
                var _ = context.channel().close();
            };
            var _ = context.executor().schedule(closing, HALF_CLOSED_SECONDS, TimeUnit.SECONDS);
        } else if (state == State.CONNECTING) {
            connection.abort();
        } else {
            leave();
        }
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) throws Exception {
        Sessions.Session connected = session;
        connection.feed();
        boolean blocked = connection.isBlocked();
        connection.gate().setUnwritable(blocked);
        if (blocked && connected != null) {
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
        if (hasUnprocessed()) {
            connection.gate().onInputEnded(() -> drainRemainder(context));
        } else {
            endSession();
        }
        connection.gate().onConnectionLost();
        super.channelInactive(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        // Called last for every closed channel, even if it was never active.
        connection.discardOutput();
        removed = true;
        if (!hasUnprocessed()) {
            leave();
        }
    }

    /** Returns whether the session, which may not exist yet, gets further packets. */
    private boolean hasUnprocessed() {
        return decoder.hasRemainder()
                && (state == State.CONNECTED
                        || state == State.CHALLENGED
                        || (state == State.CONNECTING && !connection.gate().isClosing()));
    }

    private void drainRemainder(ChannelHandlerContext context) {
        try {
            // The gate is closed while core decides about an answer.
            while (state != State.CLOSED && !connection.gate().isClosing()) {
                if (!connection.gate().admitsPacket(decoder.isNextHeavy())) {
                    return;
                }
                MqttPacket packet = decoder.nextOfRemainder();
                if (packet == null) {
                    break;
                }
                counts.received(packet, connection);
                receive(packet);
            }
        } catch (ProtocolException violation) {
            if (!removed) {
                context.fireExceptionCaught(violation);
            }
        } catch (RuntimeException fault) {
            connection.onBug(fault);
        }
        leave();
    }

    private void leave() {
        endSession();
        decoder.dropRemainder();
        connection.gate().onDrained();
        if (removed) {
            openConnections.leave(connection);
        } else {
            connection.close();
        }
    }

    private void endSession() {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        Sessions.Session ended = session;
        session = null;
        if (ended != null) {
            ended.onConnectionLost(connection.disconnectCause());
        }
    }
}
