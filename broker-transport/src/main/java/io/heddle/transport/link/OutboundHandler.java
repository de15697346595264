package io.heddle.transport.link;

import io.heddle.core.FailureLog;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** Passes the events of one connection on to its {@link OutboundLane}, on the lane's event loop, once the peer has proved who it is. */
final class OutboundHandler extends SimpleChannelInboundHandler<ByteBuf> {
    private static final Logger LOG = LoggerFactory.getLogger(OutboundHandler.class);

    private final OutboundLane lane;
    private final String fingerprint;
    private final LinkMetrics metrics;

    /** @param fingerprint that the log of nodes names for the incarnation which the lane reaches */
    OutboundHandler(OutboundLane lane, String fingerprint, LinkMetrics metrics) {
        this.lane = lane;
        this.fingerprint = fingerprint;
        this.metrics = metrics;
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) {
        if (event instanceof SslHandshakeCompletionEvent completed) {
            if (!completed.isSuccess()) {
                lane.onLost(context.channel(), completed.cause());
            } else if (LinkTls.peerFingerprint(context.channel()).equals(fingerprint)) {
                lane.onConnected(context.channel());
            } else {
                metrics.wrongCertificate();
                FailureLog.warn(
                        LOG,
                        "The certificate of a node is not the one that the log of nodes names; trying again: peer="
                                + lane.peer() + ", address="
                                + context.channel().remoteAddress(),
                        null);
                lane.onLost(context.channel(), null);
            }
        }
        context.fireUserEventTriggered(event);
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        lane.onMessage(context.channel(), message);
    }

    @Override
    public void channelWritabilityChanged(ChannelHandlerContext context) {
        if (context.channel().isWritable()) {
            lane.onWritable(context.channel());
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        lane.onLost(context.channel(), null);
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LinkFaults.report(LOG, metrics, context.channel(), cause);
        lane.onLost(context.channel(), cause);
        var _ = context.close();
    }
}
