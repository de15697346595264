package io.heddle.transport.tls;

import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import java.util.function.BiFunction;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the complete ClientHello, chooses the certificate, and is replaced by the handler that speaks TLS. A client that sends nothing
 * has therefore no memory of TLS. Owned by the connection's event loop. Bound: {@value #MAXIMUM_BYTES} of a ClientHello.
 */
final class ClientHelloHandler extends AbstractSniHandler<SslHandler> {
    private static final int MAXIMUM_BYTES = 16 * 1024;
    /** {@link HandshakeHandler} has the timer. */
    private static final long NO_TIMEOUT = 0;

    private final BiFunction<@Nullable String, ByteBufAllocator, SslHandler> handlers;

    /** @param handlers creates the handler for the name of the server that the client asks for, or null */
    ClientHelloHandler(BiFunction<@Nullable String, ByteBufAllocator, SslHandler> handlers) {
        super(MAXIMUM_BYTES, NO_TIMEOUT);
        this.handlers = handlers;
    }

    @Override
    protected Future<SslHandler> lookup(ChannelHandlerContext context, @Nullable String name) {
        return context.executor().newSucceededFuture(handlers.apply(name, context.alloc()));
    }

    @Override
    protected void onLookupComplete(ChannelHandlerContext context, @Nullable String name, Future<SslHandler> created) {
        SslHandler handler = created.getNow();
        if (handler == null) {
            throw new DecoderException("no TLS for this connection", created.cause());
        }
        boolean isReplaced = false;
        try {
            context.pipeline().replace(this, SslHandler.class.getName(), handler);
            isReplaced = true;
        } finally {
            if (!isReplaced) {
                // Only a handler in a pipeline frees the memory of OpenSSL.
                ReferenceCountUtil.release(handler.engine());
            }
        }
    }
}
