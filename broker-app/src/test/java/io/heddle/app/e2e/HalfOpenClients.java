package io.heddle.app.e2e;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import io.netty.util.ReferenceCountUtil;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * Connections that begin a handshake of TLS and never complete it: every second one sends a ClientHello, the others send nothing. Connections
 * that the broker closes are opened again, at most a thousand in a second.
 */
final class HalfOpenClients implements AutoCloseable {
    private static final int OPENS_AT_ONCE = 10;
    private static final long TURN_MILLIS = 10;

    private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    private final AtomicInteger open = new AtomicInteger();
    private final AtomicInteger opened = new AtomicInteger();

    HalfOpenClients(TrialTls tls, int port, int count) throws SSLException {
        byte[] hello = clientHello(tls);
        Bootstrap bootstrap = new Bootstrap()
                .group(loop)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        boolean isSilent = opened.getAndIncrement() % 2 == 0;
                        channel.pipeline().addLast(new HalfOpen(isSilent ? new byte[0] : hello));
                        var _ = channel.closeFuture().addListener(_ -> open.decrementAndGet());
                    }
                });
        var _ = loop.scheduleAtFixedRate(
                () -> {
                    for (int i = 0; i < OPENS_AT_ONCE && open.get() < count; i++) {
                        open.incrementAndGet();
                        var _ = bootstrap.connect(ListenerAddress.HOST, port);
                    }
                },
                0,
                TURN_MILLIS,
                TimeUnit.MILLISECONDS);
    }

    private static byte[] clientHello(TrialTls tls) throws SSLException {
        SSLEngine engine = tls.context().createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        var _ = engine.wrap(ByteBuffer.allocate(0), out);
        byte[] hello = new byte[out.position()];
        out.flip().get(hello);
        return hello;
    }

    /** Returns the number of connections that are open now. */
    int open() {
        return open.get();
    }

    /** Returns the number of connections so far. */
    int opened() {
        return opened.get();
    }

    private static final class HalfOpen extends ChannelInboundHandlerAdapter {
        private final byte[] first;

        HalfOpen(byte[] first) {
            this.first = first;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            if (first.length > 0) {
                var _ = context.writeAndFlush(Unpooled.wrappedBuffer(first));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ReferenceCountUtil.release(message);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }

    @Override
    public void close() {
        var _ = loop.shutdownGracefully(0, 10, TimeUnit.SECONDS).syncUninterruptibly();
    }
}
