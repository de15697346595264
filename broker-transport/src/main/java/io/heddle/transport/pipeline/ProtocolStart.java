package io.heddle.transport.pipeline;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.transport.codec.ForeignProtocol;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Refuses a client whose first byte is of another protocol than the listener's, before TLS or HTTP try to read it, and then leaves the
 * pipeline. Owned by the connection's event loop. The decoder of MQTT checks the first bytes itself.
 */
final class ProtocolStart extends ChannelInboundHandlerAdapter {
    private final Function<ByteBuf, @Nullable ProtocolException> check;

    private ProtocolStart(Function<ByteBuf, @Nullable ProtocolException> check) {
        this.check = check;
    }

    /** Creates the check in front of TLS. */
    static ProtocolStart ofTls() {
        return new ProtocolStart(ForeignProtocol::whereTlsIsExpected);
    }

    /** Creates the check in front of HTTP. */
    static ProtocolStart ofHttp() {
        return new ProtocolStart(ForeignProtocol::whereHttpIsExpected);
    }

    @Override
    public void channelRead(ChannelHandlerContext context, Object message) {
        ByteBuf in = (ByteBuf) message;
        if (in.isReadable()) {
            ProtocolException foreign = check.apply(in);
            if (foreign != null) {
                in.release();
                context.fireExceptionCaught(foreign);
                // At once: handlers behind this one, such as those of TLS, have nothing to say.
                var _ = context.close();
                return;
            }
            context.pipeline().remove(this);
        }
        context.fireChannelRead(in);
    }
}
