package io.heddle.transport.pipeline;

import io.heddle.transport.admission.Peer;
import io.heddle.transport.codec.MqttDecoder;
import io.heddle.transport.connection.ConnectionHandler;
import io.heddle.transport.connection.ConnectionRefusal;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.NettyEventLoop;
import io.heddle.transport.connection.NewConnection;
import io.heddle.transport.connection.TurnCounts;
import io.heddle.transport.proxy.ProxyHeader;
import io.heddle.transport.proxy.TrustedNetworks;
import io.heddle.transport.websocket.WebSocketEndpoint;
import io.heddle.transport.websocket.WebSocketHandshake;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandler.Sharable;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelPipeline;

/** Builds the pipeline of an MQTT connection of one listener. Shared by its connections; called on the event loop of each. */
@Sharable
public final class MqttChannelInitializer extends ChannelInitializer<Channel> {
    private final NodeTransport node;
    private final ListenerPipeline listener;

    public MqttChannelInitializer(NodeTransport node, ListenerPipeline listener) {
        this.node = node;
        this.listener = listener;
    }

    @Override
    protected void initChannel(Channel channel) {
        NettyEventLoop eventLoop = node.eventLoops().apply(channel.eventLoop());
        NettyConnection connection = new NettyConnection(
                channel,
                eventLoop,
                node.connectionLimits(),
                listener.connections(),
                node.unsentOutput(),
                node.metrics());
        NewConnection added = new NewConnection(
                connection, node.openConnections(), channel.eventLoop(), reporters()::contains, node.connectTimeout());
        if (!isTrusted(connection) || !node.openConnections().admit(added)) {
            var _ = channel.close();
            return;
        }
        TurnCounts counts = node.metrics().of(eventLoop);
        MqttDecoder decoder = new MqttDecoder(
                node.packetLimits(), counts, eventLoop.topicNames(), node.unfinishedPackets(), connection.gate());
        ConnectionHandler handler =
                new ConnectionHandler(connection, node.sessions(), node.openConnections(), added, counts, decoder);
        addFront(channel.pipeline(), connection, added);
        channel.pipeline()
                .addLast("decoder", decoder)
                .addLast("connectTimeout", new ConnectTimeout(node.connectTimeout(), connection, added, node.metrics()))
                .addLast("connection", handler)
                .addLast("faults", new ChannelFaults(connection, decoder, handler, node.metrics()));
        connection.writeThrough(channel.pipeline().context(decoder));
    }

    /** Returns the proxies that report the addresses of clients: in the header of the PROXY protocol, or in that of HTTP. */
    private TrustedNetworks reporters() {
        TrustedNetworks proxies = listener.proxies();
        WebSocketEndpoint webSocket = listener.webSocket();
        if (proxies != null) {
            return proxies;
        }
        return webSocket == null ? TrustedNetworks.NONE : webSocket.trusted();
    }

    /** Returns whether the connection may come from its address: a listener with the PROXY protocol has proxies only. */
    private boolean isTrusted(NettyConnection connection) {
        TrustedNetworks proxies = listener.proxies();
        if (proxies == null || proxies.contains(connection.remoteAddress())) {
            return true;
        }
        listener.connections().refuse(ConnectionRefusal.UNTRUSTED_PROXY);
        node.metrics()
                .incidents()
                .closed(
                        ConnectionRefusal.UNTRUSTED_PROXY.tag(),
                        "its address is not among the trusted proxies of this listener, which requires the PROXY"
                                + " protocol: add the load balancer to trusted-proxies, or connect to another listener",
                        connection.remoteAddress(),
                        connection.listener());
        return false;
    }

    /** Adds the handlers between the socket and MQTT. MQTT over TCP has none. */
    private void addFront(ChannelPipeline pipeline, NettyConnection connection, Peer peer) {
        PipelineStage encryption = listener.encryption();
        WebSocketEndpoint webSocket = listener.webSocket();
        if (listener.proxies() == null && encryption == null && webSocket == null) {
            return;
        }
        if (listener.proxies() != null) {
            ProxyHeader.addTo(pipeline, connection);
        }
        if (encryption != null) {
            pipeline.addLast("tlsStart", ProtocolStart.ofTls());
            encryption.addTo(pipeline, peer, () -> listener.connections().refuse(ConnectionRefusal.TLS_HANDSHAKE));
        }
        if (webSocket != null) {
            pipeline.addLast("httpStart", ProtocolStart.ofHttp());
            WebSocketHandshake.addTo(pipeline, connection, webSocket);
        }
        connection.gate().decodeBehind(pipeline.lastContext());
    }
}
