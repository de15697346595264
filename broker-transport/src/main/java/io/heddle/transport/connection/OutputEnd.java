package io.heddle.transport.connection;

import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;

/**
 * The end of a connection's output: the last record of TLS, then the end of the TCP stream. Closes the channel if the client has ended its
 * output, too. Called on the connection's event loop.
 */
final class OutputEnd {
    private OutputEnd() {}

    /** @param abort closes a channel whose output cannot be ended alone */
    static void of(Channel channel, Runnable abort) {
        SslHandler encryption = channel.pipeline().get(SslHandler.class);
        if (encryption == null || !channel.isActive()) {
            endStream(channel, abort);
        } else {
            encryption.closeOutbound().addListener(_ -> endStream(channel, abort));
        }
    }

    private static void endStream(Channel channel, Runnable abort) {
        if (channel instanceof DuplexChannel duplex && channel.isActive() && !duplex.isInputShutdown()) {
            var _ = duplex.shutdownOutput();
        } else {
            abort.run();
        }
    }
}
