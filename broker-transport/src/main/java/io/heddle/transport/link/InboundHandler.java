package io.heddle.transport.link;

import io.heddle.core.FailureLog;
import io.heddle.core.RemoteNetwork;
import io.heddle.core.link.FrameReceiver;
import io.heddle.transport.admission.Place;
import io.heddle.transport.link.InboundLanes.InboundLane;
import io.heddle.transport.link.LinkAdmission.Cause;
import io.heddle.transport.link.LinkAdmission.Refused;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.channel.ChannelFutureListener;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.handler.timeout.ReadTimeoutHandler;
import io.netty.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Receives the frames of one connection of another node's lane. Confined to the connection's event loop. States: awaiting the first
 * message, awaiting the end of the lane's earlier connections, receiving. Bound: a connection that is not admitted keeps at most
 * {@link Hello#MAXIMUM_BYTES} and a record of TLS, for the connect timeout.
 */
final class InboundHandler extends SimpleChannelInboundHandler<ByteBuf> {
    static final String SPLITTER = "splitter";

    private static final Logger LOG = LoggerFactory.getLogger(InboundHandler.class);
    // An acknowledgement costs as much as a frame. The sender needs it only to forget the frames, and to know that this
    // node is alive.
    private static final long ACKNOWLEDGE_AFTER_MILLIS = 100;
    private static final int ACKNOWLEDGE_AFTER_BYTES = 64 * 1_024;

    private final LinkSettings settings;
    private final LinkAdmission admission;
    private final InboundLanes lanes;
    private final FrameReceiver receiver;
    private final LinkMetrics metrics;
    private final LinkPlaces places;
    private final Place place;
    private @Nullable Future<?> deadline;
    private @Nullable Hello hello;
    private @Nullable InboundLane lane;
    private boolean isReceiving;
    private int unacknowledgedBytes;
    private int uncounted;
    private @Nullable Future<?> acknowledgement;

    /** @param place kept until the connection says who it is, or ends */
    InboundHandler(
            LinkSettings settings,
            LinkAdmission admission,
            InboundLanes lanes,
            FrameReceiver receiver,
            LinkMetrics metrics,
            LinkPlaces places,
            Place place) {
        this.settings = settings;
        this.admission = admission;
        this.lanes = lanes;
        this.receiver = receiver;
        this.metrics = metrics;
        this.places = places;
        this.place = place;
    }

    @Override
    public void channelActive(ChannelHandlerContext context) {
        deadline = context.executor()
                .schedule(() -> onSilent(context), settings.connectTimeout().toMillis(), TimeUnit.MILLISECONDS);
        context.fireChannelActive();
    }

    private void onSilent(ChannelHandlerContext context) {
        places.close(context.channel(), Cause.SILENT);
    }

    /** Ends the wait for the first message. */
    private void decide() {
        Future<?> waiting = deadline;
        deadline = null;
        if (waiting != null) {
            var _ = waiting.cancel(false);
        }
        place.leave();
    }

    @Override
    protected void channelRead0(ChannelHandlerContext context, ByteBuf message) {
        byte type = message.readByte();
        Hello first = hello;
        InboundLane to = lane;
        if (type == LinkMessage.HELLO && first == null) {
            onHello(context, Hello.read(message));
        } else if (type == LinkMessage.FRAME && first != null && to != null && isReceiving) {
            onFrame(context, first, to, message);
        } else if (type != LinkMessage.PROBE || !isReceiving) {
            throw new MalformedLinkException("a message of type " + type + " at the wrong time");
        }
    }

    private void onHello(ChannelHandlerContext context, Hello first) {
        hello = first;
        decide();
        if (admission.answer(first, LinkTls.peerFingerprint(context.channel()))
                instanceof Refused(Cause cause, String reason)) {
            refuse(context, first, cause, reason);
            return;
        }
        context.pipeline()
                .replace(
                        SPLITTER, SPLITTER, LinkMessage.splitter(settings.maximumPayloadBytes() + Hello.MAXIMUM_BYTES));
        context.pipeline()
                .addFirst(new ReadTimeoutHandler(settings.receiverPatience().toMillis(), TimeUnit.MILLISECONDS));
        InboundLane taken = lanes.lane(first.from(), first.lane());
        lane = taken;
        taken.takeOver(context.channel(), () -> {
            if (taken.isCurrent(context.channel())) {
                isReceiving = true;
                var _ = context.writeAndFlush(
                        LinkMessage.welcome(context.alloc(), taken.received()), context.voidPromise());
            }
        });
        if (!admission.isMember(first.from())) {
            // The lanes of the incarnation ended before this one was added.
            var _ = lanes.end(first.from());
        }
    }

    private void refuse(ChannelHandlerContext context, Hello first, Cause cause, String reason) {
        metrics.refused(cause);
        String line = "Refused a link: reason=" + reason + ", peer=" + first.from() + ", lane=" + first.lane()
                + ", address=" + context.channel().remoteAddress();
        if (cause == Cause.UNKNOWN || cause == Cause.NOT_ADDRESSED) {
            // Normal at each start: the peer has read of a join before this node has, or not yet of an end.
            LOG.debug(line);
        } else {
            FailureLog.warn(LOG, line, null);
        }
        ByteBuf answer = cause == Cause.ENDED
                ? LinkMessage.ended(context.alloc())
                : LinkMessage.refused(context.alloc(), reason);
        var _ = context.writeAndFlush(answer).addListener(ChannelFutureListener.CLOSE);
    }

    private void onFrame(ChannelHandlerContext context, Hello first, InboundLane to, ByteBuf message) {
        if (!to.isCurrent(context.channel())) {
            // The sender repeats the frame on the connection that has replaced this one.
            return;
        }
        int kind = message.readUnsignedByte();
        unacknowledgedBytes += LinkMessage.FRAME_OVERHEAD + message.readableBytes();
        try {
            receiver.onFrame(first.from(), first.lane(), kind, ByteBufUtil.getBytes(message));
        } catch (RuntimeException fault) {
            metrics.handlerFailed();
            LOG.error(
                    "Unexpected exception while a frame was handled. Please report this with its stack trace: peer={}, lane={}, kind={}",
                    first.from(),
                    first.lane(),
                    kind,
                    fault);
        }
        to.onHandled();
        uncounted++;
    }

    /** Acknowledges many frames at once. Answers probes and parts of large frames, too: the answer shows that this node is alive. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        if (hello == null) {
            var _ = place.heard(RemoteNetwork.of(context.channel().remoteAddress()));
        }
        if (isReceiving) {
            if (unacknowledgedBytes >= ACKNOWLEDGE_AFTER_BYTES) {
                acknowledge(context);
            } else if (acknowledgement == null) {
                acknowledgement = context.executor()
                        .schedule(() -> acknowledge(context), ACKNOWLEDGE_AFTER_MILLIS, TimeUnit.MILLISECONDS);
            }
        }
        context.fireChannelReadComplete();
    }

    private void acknowledge(ChannelHandlerContext context) {
        cancelAcknowledgement();
        count();
        unacknowledgedBytes = 0;
        InboundLane from = lane;
        if (from != null && from.isCurrent(context.channel())) {
            var _ = context.writeAndFlush(
                    LinkMessage.received(context.alloc(), from.received()), context.voidPromise());
        }
    }

    private void count() {
        metrics.received(uncounted);
        uncounted = 0;
    }

    private void cancelAcknowledgement() {
        Future<?> scheduled = acknowledgement;
        acknowledgement = null;
        if (scheduled != null) {
            var _ = scheduled.cancel(false);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) {
        decide();
        count();
        cancelAcknowledgement();
        context.fireChannelInactive();
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        LinkFaults.report(LOG, metrics, context.channel(), cause);
        var _ = context.close();
    }
}
