package io.heddle.perf.tls;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelFuture;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.ChannelOption;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.SimpleChannelInboundHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.netty.util.concurrent.DefaultThreadFactory;
import java.io.IOException;
import java.security.cert.X509Certificate;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/** Clients of the server, with TLS of the JDK. */
final class EchoClients {
    private static final int MESSAGE_BYTES = 62;
    static final String HOST = "localhost";
    private static final String ADDRESS = "127.0.0.1";

    private EchoClients() {}

    static EventLoopGroup loops() {
        return new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("echo-client"), NioIoHandler.newFactory());
    }

    /** Returns a context without sessions. */
    static SslContext context(X509Certificate authority) throws SSLException {
        return SslContextBuilder.forClient()
                .sslProvider(SslProvider.JDK)
                .trustManager(authority)
                .build();
    }

    /** Connects, exchanges one message and disconnects. */
    static void connectOnce(EventLoopGroup loops, int port, @Nullable SslContext context) throws Exception {
        pingPong(loops, port, context, 1);
    }

    /** Sends messages one after the other, each when the one before has come back. */
    static void pingPong(EventLoopGroup loops, int port, @Nullable SslContext context, int messages) throws Exception {
        Exchange exchange = new Exchange(messages);
        Channel channel = connect(loops, port, context, exchange);
        var _ = exchange.done.get(5, TimeUnit.MINUTES);
        var _ = channel.close().sync();
    }

    /** Connects and exchanges one message; completes with the nanoseconds that both took. */
    static CompletableFuture<Long> timedConnect(EventLoopGroup loops, int port, SslContext context) {
        Exchange exchange = new Exchange(1);
        long start = System.nanoTime();
        ChannelFuture connecting = bootstrap(loops, port, context, exchange).connect(ADDRESS, port);
        return exchange.done.thenApply(_ -> {
            var _ = connecting.channel().close();
            return System.nanoTime() - start;
        });
    }

    /** Connects; does not wait for the handshake. */
    static Channel connect(EventLoopGroup loops, int port, @Nullable SslContext context, ChannelHandler handler)
            throws InterruptedException {
        return bootstrap(loops, port, context, handler)
                .connect(ADDRESS, port)
                .sync()
                .channel();
    }

    private static Bootstrap bootstrap(
            EventLoopGroup loops, int port, @Nullable SslContext context, ChannelHandler handler) {
        return new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .option(ChannelOption.TCP_NODELAY, true)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel created) {
                        if (context != null) {
                            created.pipeline().addLast(context.newHandler(created.alloc(), HOST, port));
                        }
                        created.pipeline().addLast(handler);
                    }
                });
    }

    private static final class Exchange extends SimpleChannelInboundHandler<ByteBuf> {
        private final CompletableFuture<Boolean> done = new CompletableFuture<>();
        private final ByteBuf message = Unpooled.directBuffer(MESSAGE_BYTES).writeZero(MESSAGE_BYTES);
        private int left;
        private int missingBytes = MESSAGE_BYTES;

        Exchange(int messages) {
            left = messages;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            send(context);
        }

        private void send(ChannelHandlerContext context) {
            var _ = context.writeAndFlush(message.retainedDuplicate());
        }

        @Override
        protected void channelRead0(ChannelHandlerContext context, ByteBuf bytes) {
            missingBytes -= bytes.readableBytes();
            if (missingBytes > 0) {
                return;
            }
            missingBytes = MESSAGE_BYTES;
            left--;
            if (left == 0) {
                done.complete(true);
            } else {
                send(context);
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            done.completeExceptionally(cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext context) {
            message.release();
            done.completeExceptionally(new IOException("the server has closed the connection"));
        }
    }
}
