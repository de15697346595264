package io.heddle.transport.pipeline;

import io.heddle.core.Limit;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.transport.codec.ForeignProtocol;
import io.heddle.transport.codec.MqttDecoder;
import io.heddle.transport.connection.ConnectionHandler;
import io.heddle.transport.connection.ConnectionRefusal;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.RefusedException;
import io.heddle.transport.connection.TransportMetrics;
import io.heddle.transport.tls.CertificateRefused;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import java.io.IOException;
import javax.net.ssl.SSLException;
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
    private final ConnectionHandler handler;
    private final TransportMetrics metrics;

    ChannelFaults(
            NettyConnection connection, MqttDecoder decoder, ConnectionHandler handler, TransportMetrics metrics) {
        this.connection = connection;
        this.decoder = decoder;
        this.handler = handler;
        this.metrics = metrics;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof CertificateRefused refused) {
            connection.end(DisconnectPacket.of(ReasonCode.NOT_AUTHORIZED, refused.sentence()));
        }
        super.userEventTriggered(context, event);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        switch (cause) {
            case ProtocolException fault -> answer(fault);
            case RefusedException refused -> refuse(refused);
            case SSLException _ -> closeEncryption(context, cause);
            case DecoderException wrapper
            when wrapper.getCause() instanceof SSLException inner -> closeEncryption(context, inner);
            case IOException broken -> reset(context, broken);
            default -> {
                metrics.faultFound();
                connection.endsBecause(DisconnectCause.FAULT);
                LOG.error(
                        "Unexpected exception; connection closed. Please report this with its stack trace: {}",
                        context.channel(),
                        cause);
                var _ = context.close();
            }
        }
    }

    private void answer(ProtocolException fault) {
        if (!connection.isOpen()) {
            // Found in bytes that arrived after this side had closed.
            return;
        }
        metrics.protocolError(fault.reason());
        log(fault);
        LOG.debug(
                "Protocol violation; connection closed: {} ({}) listener={}, address={}",
                fault.detail(),
                fault.reason(),
                connection.listener(),
                connection.remoteAddress());
        MqttVersion version = decoder.version();
        if (version != null && !connection.hasVersion()) {
            // The fault is in CONNECT itself, after its version.
            connection.setVersion(version, ConnectProperties.NONE);
        }
        connection.end(DisconnectPacket.of(fault.reason(), fault.detail()));
    }

    private void log(ProtocolException fault) {
        Limit limit = fault.limit();
        if (ForeignProtocol.isReportedBy(fault)) {
            logClosed(ConnectionRefusal.FOREIGN_PROTOCOL, fault.detail());
        } else if (limit != null) {
            metrics.incidents()
                    .refused(limit, fault.detail(), decoder.clientId(), handler.userName(), connection.remoteAddress());
        } else if (!fault.isReported()) {
            metrics.incidents()
                    .violated(
                            fault.reason(),
                            fault.detail(),
                            decoder.clientId(),
                            handler.userName(),
                            connection.remoteAddress(),
                            connection.listener());
        }
    }

    private void logClosed(ConnectionRefusal reason, String cause) {
        connection.acceptedBy().refuse(reason);
        metrics.incidents().closed(reason.tag(), cause, connection.remoteAddress(), connection.listener());
    }

    private void refuse(RefusedException refused) {
        logClosed(refused.reason(), refused.detail());
        connection.close();
    }

    /** TLS has sent its alert, and reported a handshake that has failed. Later, the error is one of the network or of the client. */
    private void closeEncryption(ChannelHandlerContext context, Throwable cause) {
        if (context.channel().isActive()) {
            metrics.connectionReset();
            connection.endsBecause(DisconnectCause.reset(cause));
        }
        LOG.debug(
                "TLS failed; connection closed: {} listener={}, address={}",
                cause.toString(),
                connection.listener(),
                connection.remoteAddress());
        var _ = context.close();
    }

    private void reset(ChannelHandlerContext context, IOException broken) {
        if (context.channel().isActive()) {
            metrics.connectionReset();
            connection.endsBecause(DisconnectCause.reset(broken));
            LOG.debug(
                    "Connection failed: {} listener={}, address={}",
                    broken.toString(),
                    connection.listener(),
                    connection.remoteAddress());
        }
        var _ = context.close();
    }
}
