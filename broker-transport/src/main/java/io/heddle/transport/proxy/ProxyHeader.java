package io.heddle.transport.proxy;

import io.heddle.transport.connection.ConnectionRefusal;
import io.heddle.transport.connection.NettyConnection;
import io.heddle.transport.connection.RefusedException;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelPipeline;
import io.netty.handler.codec.DecoderException;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol.AddressFamily;
import java.net.InetAddress;
import java.net.InetSocketAddress;

/**
 * Reads the PROXY protocol header, version 1 or 2, with which a trusted proxy begins each connection, and then leaves the pipeline. The
 * health checks of load balancers, which send a LOCAL command or nothing at all, keep their own addresses. Owned by the connection's event
 * loop. Bound: a header of about 4 KiB.
 */
public final class ProxyHeader extends ChannelInboundHandlerAdapter {
    private static final int MAXIMUM_EXTENSION_BYTES = 4096;
    private static final int FIRST_OF_VERSION_1 = 'P';
    private static final int FIRST_OF_VERSION_2 = 0x0D;

    private final NettyConnection connection;
    private boolean refused;

    private ProxyHeader(NettyConnection connection) {
        this.connection = connection;
    }

    public static void addTo(ChannelPipeline pipeline, NettyConnection connection) {
        pipeline.addLast("proxyStart", new Start())
                .addLast("proxyDecoder", new HAProxyMessageDecoder(MAXIMUM_EXTENSION_BYTES, true))
                .addLast("proxyHeader", new ProxyHeader(connection));
    }

    /** Checks the first byte, because the decoder would wait for the end of a line. */
    private static final class Start extends ChannelInboundHandlerAdapter {
        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ByteBuf in = (ByteBuf) message;
            if (in.isReadable()) {
                int first = in.getUnsignedByte(in.readerIndex());
                if (first != FIRST_OF_VERSION_1 && first != FIRST_OF_VERSION_2) {
                    in.release();
                    refuse(
                            context,
                            "it does not begin with a PROXY protocol header, which this listener requires: enable it in the"
                                    + " load balancer, or connect to another listener");
                    return;
                }
                context.pipeline().remove(this);
            }
            context.fireChannelRead(in);
        }
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        if (message instanceof HAProxyMessage header) {
            try {
                accept(header);
            } finally {
                header.release();
            }
            context.pipeline().remove(this);
        } else {
            context.fireChannelRead(message);
        }
    }

    private void accept(HAProxyMessage header) {
        AddressFamily family = header.proxiedProtocol().addressFamily();
        boolean isInternet = family == AddressFamily.AF_IPv4 || family == AddressFamily.AF_IPv6;
        String address = header.sourceAddress();
        if (header.command() == HAProxyCommand.PROXY && isInternet && address != null) {
            connection.setReportedAddress(new InetSocketAddress(InetAddress.ofLiteral(address), header.sourcePort()));
        }
    }

    @Override
    public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
        if (refused) {
            // The decoder reports the rest of the bytes, too.
            return;
        }
        // The decoder does not throw HAProxyProtocolException alone, for example if an extension is too long.
        if (cause instanceof DecoderException || cause instanceof IllegalArgumentException) {
            refused = true;
            refuse(context, "its PROXY protocol header is malformed");
        } else {
            context.fireExceptionCaught(cause);
        }
    }

    /** Closes at once: handlers behind this one, such as those of TLS, have nothing to say. */
    private static void refuse(ChannelHandlerContext context, String detail) {
        context.fireExceptionCaught(new RefusedException(ConnectionRefusal.PROXY_HEADER, detail));
        var _ = context.close();
    }
}
