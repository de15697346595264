package io.heddle.transport.tls;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.ssl.AbstractSniHandler;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.ReferenceCountUtil;
import io.netty.util.concurrent.Future;
import org.jspecify.annotations.Nullable;

/**
 * Waits for the complete ClientHello, chooses the certificate, and is replaced by the handler that speaks TLS. A client that sends nothing
 * has therefore no memory of TLS. Owned by the connection's event loop. Bound: {@value #MAXIMUM_BYTES} of a ClientHello.
 */
final class ClientHelloHandler extends AbstractSniHandler<SslHandler> {
    private static final int MAXIMUM_BYTES = 16 * 1024;
    /** {@link HandshakeHandler} has the timer. */
    private static final long NO_TIMEOUT = 0;

    /** The version and the random bytes, before the id of the session. */
    private static final int BYTES_BEFORE_SESSION_ID = 34;
    /** RFC 6066, section 8. */
    private static final int STATUS_REQUEST = 5;

    private final Handlers handlers;
    private boolean wantsStaple;

    @FunctionalInterface
    interface Handlers {
        /**
         * @param name of the server that the client asks for, or null
         * @param wantsStaple whether the client asks for an OCSP response
         */
        SslHandler create(@Nullable String name, boolean wantsStaple, ByteBufAllocator allocator);
    }

    ClientHelloHandler(Handlers handlers) {
        super(MAXIMUM_BYTES, NO_TIMEOUT);
        this.handlers = handlers;
    }

    @Override
    protected Future<SslHandler> lookup(ChannelHandlerContext context, @Nullable ByteBuf clientHello) throws Exception {
        wantsStaple = clientHello != null && hasStatusRequest(clientHello.slice());
        return super.lookup(context, clientHello);
    }

    /**
     * Returns whether a ClientHello asks for an OCSP response.
     *
     * @param hello without the header of the handshake message; is read
     * @throws IndexOutOfBoundsException if it is malformed
     */
    static boolean hasStatusRequest(ByteBuf hello) {
        hello.skipBytes(BYTES_BEFORE_SESSION_ID);
        hello.skipBytes(hello.readUnsignedByte());
        // The cipher suites and the methods of compression.
        hello.skipBytes(hello.readUnsignedShort());
        hello.skipBytes(hello.readUnsignedByte());
        if (!hello.isReadable()) {
            return false;
        }
        ByteBuf extensions = hello.readSlice(hello.readUnsignedShort());
        boolean isFound = false;
        while (!isFound && extensions.isReadable()) {
            isFound = extensions.readUnsignedShort() == STATUS_REQUEST;
            extensions.skipBytes(extensions.readUnsignedShort());
        }
        return isFound;
    }

    @Override
    protected Future<SslHandler> lookup(ChannelHandlerContext context, @Nullable String name) {
        return context.executor().newSucceededFuture(handlers.create(name, wantsStaple, context.alloc()));
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
