package io.heddle.transport.codec;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import java.util.ArrayList;
import java.util.List;

/** A decoder under test with its decoded packets and detected faults. */
final class Decoding implements AutoCloseable {
    private final MqttDecoder decoder;
    private final EmbeddedChannel channel;
    private final List<Throwable> faults = new ArrayList<>();
    private int receivedBytes;

    private Decoding(PacketLimits limits, Golden.Phase phase, MqttVersion version, UnfinishedPackets unfinished) {
        decoder = new MqttDecoder(limits, this::count, new TopicNames(), unfinished, MqttDecoder.Gate.OPEN);
        channel = new EmbeddedChannel(decoder, new ChannelInboundHandlerAdapter() {
            @Override
            public void exceptionCaught(ChannelHandlerContext context, Throwable fault) {
                faults.add(fault);
            }
        });
        if (phase == Golden.Phase.CLIENT) {
            writeUnwatched(GoldenPackets.connect(version));
            channel.readInbound();
            receivedBytes = 0;
        }
    }

    static Decoding of(PacketLimits limits, Golden.Phase phase, MqttVersion version) {
        return new Decoding(limits, phase, version, new UnfinishedPackets(Long.MAX_VALUE, new SimpleMeterRegistry()));
    }

    /** Creates the decoder of a client's connection that shares the memory for unfinished packets with others. */
    static Decoding of(PacketLimits limits, MqttVersion version, UnfinishedPackets unfinished) {
        return new Decoding(limits, Golden.Phase.CLIENT, version, unfinished);
    }

    /** The same for a connection whose CONNECT is awaited. */
    static Decoding awaitingConnect(PacketLimits limits, UnfinishedPackets unfinished) {
        return new Decoding(limits, Golden.Phase.FIRST, MqttVersion.V3_1_1, unfinished);
    }

    static Decoding of(Golden row) {
        return of(GoldenPackets.LIMITS, row.phase(), row.version());
    }

    private void count(int bytes) {
        receivedBytes += bytes;
    }

    Decoding write(byte... bytes) {
        // Direct, so that the leak detector tracks it.
        channel.writeInbound(channel.alloc().directBuffer(bytes.length).writeBytes(bytes));
        return this;
    }

    /** Decodes from untracked buffers, for tests of very many packets: leak tracking slows down each one. */
    Decoding writeUnwatched(byte... bytes) {
        channel.writeInbound(Unpooled.wrappedBuffer(bytes));
        return this;
    }

    List<MqttPacket> packets() {
        List<MqttPacket> packets = new ArrayList<>();
        for (MqttPacket next = channel.readInbound(); next != null; next = channel.readInbound()) {
            packets.add(next);
        }
        return packets;
    }

    List<Throwable> faults() {
        return faults;
    }

    ProtocolException onlyFault() {
        if (faults.size() == 1 && faults.getFirst() instanceof ProtocolException fault) {
            return fault;
        }
        throw new AssertionError("expected one protocol fault, but found " + faults);
    }

    MqttDecoder decoder() {
        return decoder;
    }

    int receivedBytes() {
        return receivedBytes;
    }

    @Override
    public void close() {
        channel.finishAndReleaseAll();
    }
}
