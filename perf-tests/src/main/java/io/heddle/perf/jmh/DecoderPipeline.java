package io.heddle.perf.jmh;

import io.heddle.core.mqtt.MqttVersion;
import io.netty.buffer.ByteBuf;
import io.netty.channel.ChannelHandler;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.util.ReferenceCountUtil;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Blackhole;

/**
 * A decoder in a pipeline, followed by a handler that consumes its packets. Belongs to the benchmark's thread. Bytes enter at the
 * pipeline's head, which bypasses the queues of the embedded channel.
 */
final class DecoderPipeline {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private long packets;
    private @Nullable Throwable fault;

    /** Adds the decoder and sends a CONNECT, from which it learns the version. */
    void open(ChannelHandler decoder, MqttVersion version, Blackhole blackhole) {
        channel.pipeline().addLast(decoder, new PacketConsumer(blackhole));
        read(ConnectBytes.of(version));
        requirePackets(1);
        packets = 0;
    }

    void read(ByteBuf bytes) {
        channel.pipeline().fireChannelRead(bytes);
    }

    void requirePackets(long expected) {
        requireNoFault();
        if (packets != expected) {
            throw new IllegalStateException("decoded " + packets + " packets, not " + expected);
        }
    }

    void close() {
        channel.finishAndReleaseAll();
        requireNoFault();
    }

    private void requireNoFault() {
        if (fault != null) {
            throw new IllegalStateException("decoding failed", fault);
        }
    }

    private final class PacketConsumer extends ChannelInboundHandlerAdapter {
        private final Blackhole blackhole;

        PacketConsumer(Blackhole blackhole) {
            this.blackhole = blackhole;
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object packet) {
            packets++;
            blackhole.consume(packet);
            // Netty's own packets hold a slice of the read buffer.
            ReferenceCountUtil.release(packet);
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext context, Throwable cause) {
            fault = cause;
        }
    }
}
