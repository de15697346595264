package io.heddle.perf.jmh;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.MqttDecoder;
import io.heddle.transport.codec.MqttEncoder;
import io.heddle.transport.codec.PacketLimits;
import io.heddle.transport.codec.TopicNames;
import io.heddle.transport.codec.UnfinishedPackets;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/**
 * Decoding and encoding a QoS 0 PUBLISH with a payload of 64 bytes; all times are for one packet. Decoders run in a Netty pipeline, as in
 * the broker, followed by a handler that consumes the packets. The decoder of netty-codec-mqtt gets the same bytes in the same pipeline.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 500, timeUnit = TimeUnit.MILLISECONDS)
@Measurement(iterations = 5, time = 300, timeUnit = TimeUnit.MILLISECONDS)
@Fork(
        value = 3,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class CodecBenchmark {
    /** The packets that a client has sent. */
    @State(Scope.Thread)
    public static class Received {
        @Param({"V3_1_1", "V5"})
        private MqttVersion version = MqttVersion.V3_1_1;

        /**
         * The number of topics, which the messages use in turn. One: the decoder knows the topic from the previous packet; 32: they are in
         * the event loop's cache; 4,096: most are not.
         */
        @Param({"1", "32", "4096"})
        private int topics;

        private final PublishReads reads = new PublishReads();
        private final DecoderPipeline heddle = new DecoderPipeline();
        private final DecoderPipeline netty = new DecoderPipeline();

        /** Encodes the packets and connects both decoders. */
        @Setup
        public void receive(Blackhole blackhole) {
            reads.prepare(version, topics);
            heddle.open(
                    new MqttDecoder(
                            PacketLimits.DEFAULTS,
                            bytes -> {},
                            new TopicNames(),
                            new UnfinishedPackets(Long.MAX_VALUE, new SimpleMeterRegistry()),
                            MqttDecoder.Gate.OPEN),
                    version,
                    blackhole);
            netty.open(new io.netty.handler.codec.mqtt.MqttDecoder(), version, blackhole);
            heddle.read(reads.together());
            heddle.requirePackets(PublishReads.PACKETS);
            netty.read(reads.together());
            netty.requirePackets(PublishReads.PACKETS);
        }

        /** Fails if a packet could not be decoded, since the figures would be meaningless. */
        @TearDown
        public void close() {
            heddle.close();
            netty.close();
            reads.release();
        }
    }

    /** The receiving client. */
    @State(Scope.Thread)
    public static class Peer {
        @Param({"V3_1_1", "V5"})
        private MqttVersion version = MqttVersion.V3_1_1;

        private final PublishPacket packet = PublishReads.packet(0);
        private MqttEncoder encoder = new MqttEncoder(MqttVersion.V3_1_1, ConnectProperties.NONE);
        private ByteBuf out = Unpooled.EMPTY_BUFFER;

        /** Allocates a buffer for the packet. */
        @Setup
        public void connect() {
            encoder = new MqttEncoder(version, ConnectProperties.NONE);
            out = ByteBufAllocator.DEFAULT.directBuffer(256);
        }

        /** Releases the buffer. */
        @TearDown
        public void release() {
            out.release();
        }
    }

    /** Many packets in one read, as from a busy client. */
    @Benchmark
    @OperationsPerInvocation(PublishReads.PACKETS)
    public void decodeTogether(Received received) {
        received.heddle.read(received.reads.together());
    }

    /** Each packet in a read of its own, as from most clients. */
    @Benchmark
    @OperationsPerInvocation(PublishReads.PACKETS)
    public void decodeOneByOne(Received received) {
        for (int i = 0; i < PublishReads.PACKETS; i++) {
            received.heddle.read(received.reads.single());
        }
    }

    /** Like {@link #decodeTogether}, by netty-codec-mqtt. */
    @Benchmark
    @OperationsPerInvocation(PublishReads.PACKETS)
    public void decodeTogetherByNetty(Received received) {
        received.netty.read(received.reads.together());
    }

    /** Like {@link #decodeOneByOne}, by netty-codec-mqtt. */
    @Benchmark
    @OperationsPerInvocation(PublishReads.PACKETS)
    public void decodeOneByOneByNetty(Received received) {
        for (int i = 0; i < PublishReads.PACKETS; i++) {
            received.netty.read(received.reads.single());
        }
    }

    /** Encodes one packet into a buffer. */
    @Benchmark
    public int encode(Peer peer) {
        peer.out.clear();
        return peer.encoder.encode(peer.packet, peer.out);
    }
}
