package io.heddle.transport.pipeline;

import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.NewConnection;
import io.heddle.transport.connection.TransportMetrics;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Closes a connection without a complete CONNECT in time, which includes the handshakes of TLS and WebSocket. Keeps
 * the place of the connection up to then, or to the end of the exchange that CONNECT begins. Follows the decoder and leaves the pipeline with the first packet.
 */
final class ConnectTimeout extends ChannelInboundHandlerAdapter {
    private final Duration timeout;
    private final NettyConnection connection;
    private final NewConnection place;
    private final TransportMetrics metrics;
    private @Nullable Future<?> timer;

    ConnectTimeout(Duration timeout, NettyConnection connection, NewConnection place, TransportMetrics metrics) {
        this.timeout = timeout;
        this.connection = connection;
        this.place = place;
        this.metrics = metrics;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext context) {
        timer = context.executor().schedule(() -> expire(context), timeout.toNanos(), TimeUnit.NANOSECONDS);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        Future<?> started = timer;
        if (started != null) {
            started.cancel(false);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        // The decoder accepts only CONNECT as the first packet.
        context.pipeline().remove(this);
        if (((ConnectPacket) message).properties().authenticationMethod() != null) {
            place.answered();
            if (connection.isOpen()) {
                context.fireChannelRead(message);
            }
        } else if (place.connected()) {
            context.fireChannelRead(message);
        }
    }

    /** Follows each read of the socket, also if its bytes are not enough for a packet. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        place.heard();
        context.fireChannelReadComplete();
    }

    private void expire(ChannelHandlerContext context) {
        if (context.isRemoved()) {
            return;
        }
        metrics.connectTimedOut();
        metrics.incidents()
                .closed(
                        "connect_timeout",
                        "no CONNECT arrived within " + timeout.toSeconds() + " s",
                        connection.remoteAddress(),
                        connection.listener());
        var _ = context.close();
    }
}
