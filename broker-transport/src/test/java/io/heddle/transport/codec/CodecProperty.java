package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.testkit.Conformance;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Random round trips. Repeat a failure with {@code -Dheddle.test.seed=} and the printed seed. */
class CodecProperty {
    private static final int ROUNDS = 1500;

    private final long seed = Long.getLong("heddle.test.seed", new SplittableRandom().nextLong());
    private final RandomGenerator random = new SplittableRandom(seed);

    @ParameterizedTest
    @EnumSource(MqttVersion.class)
    void encodedPacketsAreDecodedUnchanged(MqttVersion version) {
        RandomPackets packets = new RandomPackets(random, version);
        for (int round = 0; round < ROUNDS; round++) {
            roundTrip(packets.connect(), version, Golden.Phase.FIRST);
            roundTrip(packets.fromClient(), version, Golden.Phase.CLIENT);

            MqttPacket fromServer = packets.fromServer();
            assertThat(ServerPackets.decode(ClientPackets.encode(fromServer, version), version))
                    .as("seed %d", seed)
                    .isEqualTo(fromServer);
        }
    }

    private void roundTrip(MqttPacket packet, MqttVersion version, Golden.Phase phase) {
        try (Decoding decoding = Decoding.of(RandomPackets.LIMITS, phase, version)) {
            decoding.writeUnwatched(ClientPackets.encode(packet, version));

            assertThat(decoding.faults()).as("seed %d: %s", seed, packet).isEmpty();
            assertThat(decoding.packets()).as("seed %d", seed).isEqualTo(List.of(packet));
        }
    }

    @ParameterizedTest
    @EnumSource(MqttVersion.class)
    void corruptBytesCauseOnlyProtocolFaults(MqttVersion version) {
        RandomPackets packets = new RandomPackets(random, version);
        for (int round = 0; round < ROUNDS; round++) {
            breakBytes(ClientPackets.encode(packets.connect(), version), version, Golden.Phase.FIRST);
            breakBytes(ClientPackets.encode(packets.fromClient(), version), version, Golden.Phase.CLIENT);
        }
    }

    private void breakBytes(byte[] bytes, MqttVersion version, Golden.Phase phase) {
        int changes = random.nextInt(1, 4);
        for (int i = 0; i < changes; i++) {
            // Mostly where lengths, flags and properties are.
            int at = random.nextInt(random.nextBoolean() ? bytes.length : Math.min(bytes.length, 24));
            bytes[at] = (byte) random.nextInt(256);
        }
        try (Decoding decoding = Decoding.of(RandomPackets.LIMITS, phase, version)) {
            decoding.writeUnwatched(bytes);

            assertThat(decoding.faults())
                    .as("seed %d: %s", seed, ByteBufUtil.hexDump(bytes))
                    .allMatch(fault -> fault instanceof ProtocolException broken
                            && broken.reason().isError())
                    .hasSizeLessThan(2);
        }
    }

    @Conformance(value = "MQTT-1.5.4-1", mqtt311 = "MQTT-1.5.3-1")
    @Test
    void textIsAcceptedIfAndOnlyIfJavaDecodesItWithoutReplacement() {
        byte[] interesting = {
            0,
            0x41,
            0x7F,
            (byte) 0x80,
            (byte) 0x8F,
            (byte) 0x90,
            (byte) 0x9F,
            (byte) 0xA0,
            (byte) 0xBF,
            (byte) 0xC1,
            (byte) 0xC2,
            (byte) 0xDF,
            (byte) 0xE0,
            (byte) 0xED,
            (byte) 0xEF,
            (byte) 0xF0,
            (byte) 0xF4,
            (byte) 0xF5
        };
        for (int round = 0; round < 20_000; round++) {
            byte[] bytes = new byte[random.nextInt(1, 14)];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = random.nextInt(3) == 0 ? interesting[random.nextInt(interesting.length)] : (byte) 0x61;
            }
            assertThat(isAccepted(bytes))
                    .as("seed %d: %s", seed, ByteBufUtil.hexDump(bytes))
                    .isEqualTo(isWellFormed(bytes));
        }
    }

    private static boolean isAccepted(byte[] bytes) {
        try {
            boolean ascii = Utf8.requireWellFormed(Unpooled.wrappedBuffer(bytes), 0, bytes.length);
            for (byte next : bytes) {
                assertThat(next >= 0 || !ascii).isTrue();
            }
            return true;
        } catch (ProtocolException refused) {
            return false;
        }
    }

    private static boolean isWellFormed(byte[] bytes) {
        try {
            return java.nio.charset.StandardCharsets.UTF_8
                            .newDecoder()
                            .decode(java.nio.ByteBuffer.wrap(bytes))
                            .toString()
                            .indexOf(0)
                    < 0;
        } catch (java.nio.charset.CharacterCodingException malformed) {
            return false;
        }
    }
}
