package io.heddle.transport.tls;

import io.heddle.transport.admission.Peer;
import io.heddle.transport.admission.Place;
import io.heddle.transport.admission.Places;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Watches the handshake of one connection: its bound, its timeout and its outcome. Leaves the pipeline when the handshake is complete; else stays
 * until the connection is closed, and reports the failure once. Owned by the connection's event loop.
 */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
    private final TlsHandshakes handshakes;
    private final VerifiedClients clients;
    private final @Nullable Object rules;
    private final String listener;
    private final Peer peer;
    private final Runnable refused;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Place place;
    private @Nullable Future<?> timer;
    private boolean over;

    /** @param refused is called if this node closes the connection */
    HandshakeHandler(TlsHandshakes handshakes, VerifiedClients clients, String listener, Peer peer, Runnable refused) {
        this.handshakes = handshakes;
        this.clients = clients;
        this.rules = clients.rules();
        this.listener = listener;
        this.peer = peer;
        this.refused = refused;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        Place taken = handshakes.place(added.channel().eventLoop(), () -> close(HandshakeFailure.TOO_MANY));
        place = taken;
        if (taken.enter(peer.network()) != Places.Answer.TAKEN) {
            fail(added, HandshakeFailure.TOO_MANY, null);
            return;
        }
        timer = added.executor()
                .schedule(
                        () -> close(HandshakeFailure.TIMEOUT),
                        handshakes.timeout().toNanos(),
                        TimeUnit.NANOSECONDS);
    }

    @Override
    public void userEventTriggered(ChannelHandlerContext context, Object event) throws Exception {
        if (event instanceof SslHandshakeCompletionEvent completion && !over) {
            if (completion.isSuccess()) {
                complete(context);
            } else {
                fail(context, HandshakeFailure.of(completion.cause()), completion.cause());
            }
        }
        super.userEventTriggered(context, event);
    }

    private void complete(ChannelHandlerContext context) {
        SslHandler handler = context.pipeline().get(SslHandler.class);
        if (handler != null) {
            SSLSession session = handler.engine().getSession();
            try {
                PeerCertificate.remember(context.channel(), session);
            } catch (CertificateException outdated) {
                fail(context, HandshakeFailure.of(outdated), null);
                return;
            }
            if (PeerCertificate.of(context.channel()) != null) {
                clients.add(context.channel(), rules);
            }
            handshakes.completed(session.getProtocol());
        }
        end();
        context.pipeline().remove(this);
    }

    /** Drops what a refused client has sent together with the end of its handshake. */
    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (over) {
            ReferenceCountUtil.release(message);
        } else {
            context.fireChannelRead(message);
        }
    }

    /** Follows each read of the socket, also if its bytes are not enough for a message of TLS. */
    @Override
    public void channelReadComplete(ChannelHandlerContext context) {
        Place taken = place;
        if (!over && taken != null && taken.heard(peer.network()) != Places.Answer.TAKEN) {
            fail(context, HandshakeFailure.TOO_MANY, null);
        }
        context.fireChannelReadComplete();
    }

    /** Catches exceptions of TLS, also those that follow a failure that is already reported. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof DecoderException) && !(cause instanceof IOException)) {
            // Another handler in front of TLS has refused the connection.
            end();
            context.fireExceptionCaught(cause);
        } else if (!over) {
            fail(context, HandshakeFailure.of(cause), cause);
        }
    }

    @Override
    public void channelInactive(ChannelHandlerContext context) throws Exception {
        if (!over) {
            fail(context, HandshakeFailure.DISCONNECTED, null);
        }
        super.channelInactive(context);
    }

    @Override
    public void handlerRemoved(ChannelHandlerContext context) {
        end();
    }

    /** Closes the connection because of its handshake. On its event loop. */
    void close(HandshakeFailure reason) {
        ChannelHandlerContext current = context;
        if (current != null && !over) {
            fail(current, reason, null);
        }
    }

    private void fail(ChannelHandlerContext context, HandshakeFailure reason, @Nullable Throwable cause) {
        end();
        handshakes.failed(reason, listener, peer.address(), cause);
        if (reason != HandshakeFailure.DISCONNECTED) {
            refused.run();
        }
        // Not through the handler of TLS, which would wait for the client to read the alert.
        ChannelHandlerContext first = context.pipeline().firstContext();
        var _ = (cause == null && first != null ? first : context).close();
    }

    private void end() {
        over = true;
        Future<?> started = timer;
        timer = null;
        if (started != null) {
            started.cancel(false);
        }
        Place taken = place;
        if (taken != null) {
            taken.leave();
        }
    }
}
