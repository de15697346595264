package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttEncoder;
import io.netty.handler.codec.mqtt.MqttMessage;
import io.netty.util.ReferenceCountUtil;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/**
 * Decodes and re-encodes packets of clients with Netty's codec; we must decode the same packet. This detects mistakes that the encoder of the
 * tests and our decoder share. Repeat a failure with {@code -Dheddle.test.seed=}.
 */
class NettyCodecDifferentialTest {
    private static final int ROUNDS = 1000;

    private final long seed = Long.getLong("heddle.test.seed", new SplittableRandom().nextLong());
    private final RandomGenerator random = new SplittableRandom(seed);

    @ParameterizedTest
    @EnumSource(MqttVersion.class)
    void interoperatesWithNettysCodec(MqttVersion version) {
        RandomPackets packets = new RandomPackets(random, version);
        for (int round = 0; round < ROUNDS; round++) {
            compare(withShortClientId(packets.connect()), version, Golden.Phase.FIRST);
            compare(packets.fromClient(), version, Golden.Phase.CLIENT);
        }
    }

    /** Netty's decoder rejects client ids of MQTT 3.1 with more than 23 characters; ours leaves that to core. */
    private static ConnectPacket withShortClientId(ConnectPacket packet) {
        return packet.version() != MqttVersion.V3_1
                ? packet
                : new ConnectPacket(
                        packet.version(),
                        "c1",
                        packet.cleanStart(),
                        packet.keepAliveSeconds(),
                        packet.will(),
                        packet.userName(),
                        packet.password(),
                        packet.properties());
    }

    private void compare(MqttPacket packet, MqttVersion version, Golden.Phase phase) {
        byte[] theirs = throughNetty(ClientPackets.encode(packet, version), version);
        try (Decoding decoding = Decoding.of(RandomPackets.LIMITS, phase, version)) {
            decoding.writeUnwatched(theirs);

            assertThat(decoding.faults()).as("seed %d: %s", seed, packet).isEmpty();
            assertThat(decoding.packets()).as("seed %d", seed).isEqualTo(List.of(packet));
        }
    }

    private byte[] throughNetty(byte[] bytes, MqttVersion version) {
        EmbeddedChannel channel =
                new EmbeddedChannel(new io.netty.handler.codec.mqtt.MqttDecoder(1 << 24, 65_535), MqttEncoder.INSTANCE);
        try {
            // Netty's codec learns the version from CONNECT, in both directions.
            channel.writeInbound(Unpooled.copiedBuffer(GoldenPackets.connect(version)));
            ReferenceCountUtil.release(channel.readInbound());
            channel.writeInbound(Unpooled.copiedBuffer(bytes));
            MqttMessage message = channel.readInbound();
            assertThat(message.decoderResult().isSuccess())
                    .as("seed %d: %s in %s", seed, message.decoderResult(), ByteBufUtil.hexDump(bytes))
                    .isTrue();
            channel.writeOutbound(message);
            ByteBuf all = Unpooled.buffer();
            for (ByteBuf next = channel.readOutbound(); next != null; next = channel.readOutbound()) {
                all.writeBytes(next);
                next.release();
            }
            return ByteBufUtil.getBytes(all);
        } finally {
            channel.finishAndReleaseAll();
        }
    }
}
