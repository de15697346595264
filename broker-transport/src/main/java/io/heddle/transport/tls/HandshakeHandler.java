package io.heddle.transport.tls;

import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.SslHandler;
import io.netty.handler.ssl.SslHandshakeCompletionEvent;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.io.IOException;
import java.net.SocketAddress;
import java.security.cert.CertificateException;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;

/**
 * Watches the handshake of one connection: its bound, its timeout and its outcome. Leaves the pipeline when the handshake is complete; else stays
 * until the connection is closed, and reports the failure once. Owned by the connection's event loop.
 */
final class HandshakeHandler extends ChannelInboundHandlerAdapter {
    private final TlsHandshakes handshakes;
    private final String listener;
    private final Supplier<SocketAddress> address;
    private final Runnable refused;
    private final long startedNanos;
    private @Nullable ChannelHandlerContext context;
    private @Nullable Future<?> timer;
    private long heardNanos;
    private long heardAtLastSweep;
    private boolean over;

    /**
     * Creates the handler of a new connection.
     *
     * @param address returns the address of the client, for the log
     * @param refused is called if this node closes the connection
     */
    HandshakeHandler(TlsHandshakes handshakes, String listener, Supplier<SocketAddress> address, Runnable refused) {
        this.handshakes = handshakes;
        this.listener = listener;
        this.address = address;
        this.refused = refused;
        this.startedNanos = handshakes.nanoTime();
        this.heardNanos = startedNanos;
        this.heardAtLastSweep = heardNanos - 1;
    }

    long startedNanos() {
        return startedNanos;
    }

    /** Returns when the client has last sent something, or has connected. */
    long heardNanos() {
        return heardNanos;
    }

    /** Returns whether the client has sent nothing since the call before; false at the first call. */
    boolean isSilentSinceLastSweep() {
        boolean isSilent = heardAtLastSweep == heardNanos;
        heardAtLastSweep = heardNanos;
        return isSilent;
    }

    @Override
    public void handlerAdded(ChannelHandlerContext added) {
        context = added;
        if (!handshakes.begin(added.channel().eventLoop(), this)) {
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
                ClientCertificate.remember(context.channel(), session);
            } catch (CertificateException outdated) {
                fail(context, HandshakeFailure.of(outdated), null);
                return;
            }
            handshakes.completed(session.getProtocol());
        }
        end(context);
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
        heardNanos = handshakes.nanoTime();
        context.fireChannelReadComplete();
    }

    /** Catches exceptions of TLS, also those that follow a failure that is already reported. */
    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (!(cause instanceof DecoderException) && !(cause instanceof IOException)) {
            // Another handler in front of TLS has refused the connection.
            end(context);
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
        end(context);
    }

    /** Closes the connection because of its handshake. On its event loop. */
    void close(HandshakeFailure reason) {
        ChannelHandlerContext current = context;
        if (current != null && !over) {
            fail(current, reason, null);
        }
    }

    private void fail(ChannelHandlerContext context, HandshakeFailure reason, @Nullable Throwable cause) {
        end(context);
        handshakes.failed(reason, listener, address.get(), cause);
        if (reason != HandshakeFailure.DISCONNECTED) {
            refused.run();
        }
        // Not through the handler of TLS, which would wait for the client to read the alert.
        ChannelHandlerContext first = context.pipeline().firstContext();
        var _ = (cause == null && first != null ? first : context).close();
    }

    private void end(ChannelHandlerContext context) {
        over = true;
        Future<?> started = timer;
        timer = null;
        if (started != null) {
            started.cancel(false);
        }
        handshakes.end(context.channel().eventLoop(), this);
    }
}
