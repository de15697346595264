package io.heddle.perf.tls;

import io.netty.bootstrap.Bootstrap;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelInitializer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.socket.SocketChannel;
import io.netty.channel.socket.nio.NioSocketChannel;
import java.nio.ByteBuffer;
import java.security.NoSuchAlgorithmException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;

/**
 * A process with connections that begin a handshake and never complete it: every second one sends a ClientHello, the others send nothing. Connections
 * that the server closes are opened again, at most a thousand in a second. Ends with its standard input.
 */
final class HalfOpenClients {
    static final String NAME = "half-open-clients";
    private static final int OPENS_AT_ONCE = 10;
    private static final long TURN_MILLIS = 10;

    private HalfOpenClients() {}

    static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        int count = Integer.parseInt(arguments[2]);
        byte[] hello = hello();
        AtomicInteger open = new AtomicInteger();
        AtomicInteger opened = new AtomicInteger();
        EventLoopGroup loops = EchoClients.loops();
        Bootstrap bootstrap = new Bootstrap()
                .group(loops)
                .channel(NioSocketChannel.class)
                .handler(new ChannelInitializer<SocketChannel>() {
                    @Override
                    protected void initChannel(SocketChannel channel) {
                        boolean isSilent = opened.getAndIncrement() % 2 == 0;
                        channel.pipeline().addLast(new Attacker(isSilent ? new byte[0] : hello));
                        channel.closeFuture().addListener(_ -> open.decrementAndGet());
                    }
                });
        var _ = loops.scheduleAtFixedRate(
                () -> {
                    for (int i = 0; i < OPENS_AT_ONCE && open.get() < count; i++) {
                        open.incrementAndGet();
                        var _ = bootstrap.connect("127.0.0.1", port);
                    }
                },
                0,
                TURN_MILLIS,
                TimeUnit.MILLISECONDS);
        var _ = System.in.readAllBytes();
        System.exit(0);
    }

    private static byte[] hello() throws NoSuchAlgorithmException, SSLException {
        SSLEngine engine = SSLContext.getDefault().createSSLEngine("localhost", 1);
        engine.setUseClientMode(true);
        ByteBuffer out = ByteBuffer.allocate(engine.getSession().getPacketBufferSize());
        var _ = engine.wrap(ByteBuffer.allocate(0), out);
        byte[] hello = new byte[out.position()];
        out.flip().get(hello);
        return hello;
    }

    private static final class Attacker extends ChannelInboundHandlerAdapter {
        private final byte[] first;

        Attacker(byte[] first) {
            this.first = first;
        }

        @Override
        public void channelActive(ChannelHandlerContext context) {
            Channel channel = context.channel();
            if (first.length > 0) {
                var _ = channel.writeAndFlush(Unpooled.wrappedBuffer(first));
            }
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((ByteBuf) message).release();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            var _ = context.close();
        }
    }
}
