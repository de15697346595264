package io.heddle.transport.pipeline;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.transport.codec.ForeignProtocol;
import io.heddle.transport.codec.MqttDecoder;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.TransportMetrics;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.io.IOException;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The last handler: whatever went wrong on a connection arrives here, is counted, answered as far as the client's version can
 * be answered, and ends with the connection closed.
 */
final class ChannelFaults extends ChannelInboundHandlerAdapter {
    private static final Logger LOG = LoggerFactory.getLogger(ChannelFaults.class);

    private final NettyConnection connection;
    private final MqttDecoder decoder;
    private final TransportMetrics metrics;
    private final ForeignProtocolLog foreignProtocols;

    ChannelFaults(
            NettyConnection connection,
            MqttDecoder decoder,
            TransportMetrics metrics,
            ForeignProtocolLog foreignProtocols) {
        this.connection = connection;
        this.decoder = decoder;
        this.metrics = metrics;
        this.foreignProtocols = foreignProtocols;
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        switch (cause) {
            case ProtocolException fault -> answer(context, fault);
            case IOException broken -> reset(context, broken);
            default -> {
                metrics.faultFound();
                LOG.error(
                        "A bug closed the connection {}: please report this with its stack trace",
                        context.channel(),
                        cause);
                var _ = context.close();
            }
        }
    }

    private void answer(ChannelHandlerContext context, ProtocolException fault) {
        if (!connection.isOpen()) {
            // Found in what arrived behind the end of the conversation.
            return;
        }
        metrics.protocolError(fault.reason());
        if (ForeignProtocol.isNamedBy(fault)) {
            foreignProtocols.hint(fault, context.channel().remoteAddress());
        }
        LOG.debug("{} broke the protocol: {} ({})", context.channel(), fault.detail(), fault.reason());
        MqttVersion version = decoder.version();
        if (version != null && !connection.isSpoken()) {
            // The fault is in CONNECT itself, behind its version.
            connection.speak(version, ConnectProperties.NONE);
        }
        connection.end(fault.reason(), fault.detail());
    }

    private void reset(ChannelHandlerContext context, IOException broken) {
        if (context.channel().isActive()) {
            metrics.connectionReset();
            LOG.debug("{} broke: {}", context.channel(), broken.toString());
        }
        var _ = context.close();
    }
}
