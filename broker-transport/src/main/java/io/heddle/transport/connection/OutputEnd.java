package io.heddle.transport.connection;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.Channel;
import io.netty.channel.socket.DuplexChannel;
import io.netty.handler.ssl.SslHandler;
import io.netty.util.concurrent.Future;
import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * The end of a connection's output: the last record of TLS, then the end of the TCP stream. Closes the channel if the client has ended its
 * output, too. Called on the connection's event loop.
 */
final class OutputEnd {
    private OutputEnd() {}

    /**
     * Ends the output when all of it is written, with the last frame if it has frames.
     *
     * @param abort closes a channel whose output cannot be ended alone, or whose client has not closed it in time
     */
    static void of(Channel channel, ConnectionOutput output, Duration timeout, Runnable abort) {
        Future<?> deadline = channel.eventLoop().schedule(abort, timeout.toNanos(), TimeUnit.NANOSECONDS);
        channel.closeFuture().addListener(_ -> deadline.cancel(false));
        output.whenWritten(() -> {
            OutputFraming framing = output.framing();
            ByteBuf last = framing == null ? Unpooled.EMPTY_BUFFER : framing.lastFrame(channel.alloc());
            channel.writeAndFlush(last).addListener(_ -> end(channel, abort));
        });
    }

    private static void end(Channel channel, Runnable abort) {
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
