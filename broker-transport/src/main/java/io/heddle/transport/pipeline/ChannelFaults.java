package io.heddle.transport.pipeline;

import io.heddle.core.Limit;
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
 * The last handler of the pipeline. Counts every failure of a connection, answers it if the client's version allows, and closes
 * the connection.
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
                        "Unexpected exception; connection closed. Please report this with its stack trace: {}",
                        context.channel(),
                        cause);
                var _ = context.close();
            }
        }
    }

    private void answer(ChannelHandlerContext context, ProtocolException fault) {
        if (!connection.isOpen()) {
            // Found in bytes that arrived after this side had closed.
            return;
        }
        metrics.protocolError(fault.reason());
        if (ForeignProtocol.isReportedBy(fault)) {
            foreignProtocols.hint(fault, context.channel().remoteAddress());
        }
        Limit limit = fault.limit();
        if (limit != null) {
            metrics.refusals().refused(limit, fault.detail(), decoder.clientId(), connection.remoteAddress());
        }
        LOG.debug(
                "Protocol violation; connection closed: {} ({}) {}", fault.detail(), fault.reason(), context.channel());
        MqttVersion version = decoder.version();
        if (version != null && !connection.hasVersion()) {
            // The fault is in CONNECT itself, after its version.
            connection.setVersion(version, ConnectProperties.NONE);
        }
        connection.end(fault.reason(), fault.detail());
    }

    private void reset(ChannelHandlerContext context, IOException broken) {
        if (context.channel().isActive()) {
            metrics.connectionReset();
            LOG.debug("Connection failed: {} {}", broken.toString(), context.channel());
        }
        var _ = context.close();
    }
}
