package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class PublishVariantsTest {
    private static final MqttEncoder OLDER = new MqttEncoder(MqttVersion.V3_1_1, ConnectProperties.NONE);
    private static final MqttEncoder NEWER = new MqttEncoder(MqttVersion.V5, ConnectProperties.NONE);

    private final PublishVariants variants = new PublishVariants();
    private final List<ByteBuf> buffers = new ArrayList<>();

    @AfterEach
    void release() {
        variants.clear();
        for (ByteBuf buffer : buffers) {
            assertThat(buffer.refCnt()).isEqualTo(1);
            buffer.release();
        }
    }

    @Test
    void copiesForEachVersionEqualTheEncodersOutput() {
        PublishPacket packet = message("a/b", 100).packet(QoS.AT_MOST_ONCE, 0, List.of());
        for (int copy = 0; copy < 3; copy++) {
            for (MqttEncoder peer : List.of(OLDER, NEWER)) {
                assertThat(encode(packet, peer)).isEqualTo(expected(packet, peer));
            }
        }
    }

    @Test
    void eachCopyHasItsOwnPacketIdentifier() {
        // Payloads around the sizes at which the fixed header grows.
        for (int payload : new int[] {0, 116, 117, 118, 200, 16_370, 16_380}) {
            Message message = message("a/b/c", payload);
            for (int packetId : new int[] {1, 255, 256, 65_535}) {
                PublishPacket packet = message.packet(QoS.AT_LEAST_ONCE, packetId, List.of(7));
                assertThat(encode(packet, OLDER)).isEqualTo(expected(packet, OLDER));
                assertThat(encode(packet, NEWER)).isEqualTo(expected(packet, NEWER));
            }
        }
    }

    @Test
    void copyReusesTheBytesOfTheFirst() {
        Message message = message("a", 50);
        ByteBuf first = buffer();
        variants.encode(message.packet(QoS.AT_LEAST_ONCE, 1, List.of()), OLDER, first);
        // A modified byte, which only a copy of these bytes can contain.
        first.setByte(first.writerIndex() - 1, 'x');

        assertThat(encode(message.packet(QoS.AT_LEAST_ONCE, 2, List.of()), OLDER))
                .endsWith("78");
        assertThat(encode(message.packet(QoS.AT_LEAST_ONCE, 2, List.of()), NEWER))
                .endsWith("00");
    }

    @Test
    void copiesOfAnExpiringMessageShareOneEncodingPerRemainingSecond() {
        Message message = message("a", 50);
        ByteBuf first = buffer();
        variants.encode(message.expiringIn(5).packet(QoS.AT_LEAST_ONCE, 1, List.of()), NEWER, first);
        first.setByte(first.writerIndex() - 1, 'x');

        PublishPacket sameSecond = message.expiringIn(5).packet(QoS.AT_LEAST_ONCE, 2, List.of());
        PublishPacket nextSecond = message.expiringIn(4).packet(QoS.AT_LEAST_ONCE, 3, List.of());
        PublishPacket otherMessage = message("a", 50).expiringIn(4).packet(QoS.AT_LEAST_ONCE, 4, List.of());

        assertThat(encode(sameSecond, NEWER))
                .endsWith("78")
                .startsWith(expected(sameSecond, NEWER).substring(0, 20));
        assertThat(encode(nextSecond, NEWER)).isEqualTo(expected(nextSecond, NEWER));
        assertThat(encode(otherMessage, NEWER)).isEqualTo(expected(otherMessage, NEWER));
    }

    @Test
    void differentPropertiesNeedAnotherEncoding() {
        PublishProperties some = new PublishProperties(7, true, "t", null, null, List.of());
        Message message = new Message(TopicName.parse("a", 1), some, BinaryData.EMPTY);
        for (PublishProperties other : List.of(
                some,
                new PublishProperties(7, false, "t", null, null, List.of()),
                new PublishProperties(7, true, "u", null, null, List.of()),
                new PublishProperties(7, true, "t", TopicName.parse("r", 1), null, List.of()),
                new PublishProperties(7, true, "t", null, BinaryData.wrap(new byte[1]), List.of()),
                new PublishProperties(7, true, "t", null, null, List.of(new UserProperty("k", "v"))),
                new PublishProperties(8, true, "t", null, null, List.of()))) {
            PublishPacket packet =
                    new Message(message.topic(), other, message.payload()).packet(QoS.AT_MOST_ONCE, 0, List.of());
            assertThat(encode(packet, NEWER)).isEqualTo(expected(packet, NEWER));
        }
    }

    @Test
    void copiesOfManyMessagesInAnyOrderEqualTheEncodersOutput() {
        long seed = Long.getLong("heddle.test.seed", new SplittableRandom().nextLong());
        RandomGenerator random = new SplittableRandom(seed);
        List<Message> messages = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            messages.add(message("topic/" + i, random.nextInt(300)));
        }
        MqttEncoder small = new MqttEncoder(
                MqttVersion.V5, new ConnectProperties(0, 1, 200, 0, false, true, List.of(), null, null));
        List<MqttEncoder> peers = List.of(OLDER, NEWER, small);
        List<ByteBuf> outs = List.of(buffer(), buffer(), buffer());
        Message current = messages.getFirst();
        for (int i = 0; i < 3_000; i++) {
            if (random.nextInt(40) == 0) {
                current = messages.get(random.nextInt(messages.size()));
            }
            if (random.nextInt(500) == 0) {
                variants.clear();
            }
            PublishPacket packet = current.random(random);
            int peer = random.nextInt(peers.size());
            ByteBuf out = outs.get(peer);
            if (random.nextInt(100) == 0) {
                out.clear();
                variants.clear();
            }
            int before = out.writerIndex();

            int size = variants.encode(packet, peers.get(peer), out);

            String expected = expected(packet, peers.get(peer));
            assertThat(size).as("seed %d", seed).isEqualTo(expected.isEmpty() ? -1 : expected.length() / 2);
            assertThat(ByteBufUtil.hexDump(out, before, out.writerIndex() - before))
                    .as("seed %d: %s", seed, packet)
                    .isEqualTo(expected);
        }
    }

    @Test
    void moreVariantsThanCachedAreEncodedCorrectly() {
        Message message = message("a", 10);
        for (int round = 0; round < 2; round++) {
            for (int identifier = 1; identifier <= 2 * PublishVariants.MAXIMUM_VARIANTS; identifier++) {
                PublishPacket packet = message.packet(QoS.AT_MOST_ONCE, 0, List.of(identifier));
                assertThat(encode(packet, NEWER)).isEqualTo(expected(packet, NEWER));
            }
        }
        long kept = buffers.stream().filter(buffer -> buffer.refCnt() > 1).count();
        assertThat(kept).isEqualTo(PublishVariants.MAXIMUM_VARIANTS);
    }

    @Test
    void topicAliasesAndLargePacketsAreNotCachedAndClearReleasesBuffers() {
        Message large = message("a", PublishVariants.MAXIMUM_PACKET_BYTES);
        encode(large.packet(QoS.AT_MOST_ONCE, 0, List.of()), OLDER);
        PublishPacket plain = message("a", 1).packet(QoS.AT_MOST_ONCE, 0, List.of());
        PublishPacket alias = new PublishPacket(
                plain.topic(),
                3,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                plain.properties(),
                List.of(),
                plain.payload());
        assertThat(encode(alias, NEWER)).isEqualTo(expected(alias, NEWER));
        assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 1);

        assertThat(encode(plain, NEWER)).isEqualTo(expected(plain, NEWER));
        assertThat(encode(alias, NEWER)).isEqualTo(expected(alias, NEWER));
        assertThat(buffers.stream().filter(buffer -> buffer.refCnt() == 2)).hasSize(1);

        variants.clear();
        assertThat(buffers).allMatch(buffer -> buffer.refCnt() == 1);
    }

    private String encode(PublishPacket packet, MqttEncoder peer) {
        ByteBuf out = buffer();
        int size = variants.encode(packet, peer, out);
        assertThat(out.readableBytes()).isEqualTo(size);
        return ByteBufUtil.hexDump(out);
    }

    private static String expected(PublishPacket packet, MqttEncoder peer) {
        ByteBuf out = Unpooled.buffer();
        peer.encode(packet, out);
        return ByteBufUtil.hexDump(out);
    }

    private ByteBuf buffer() {
        // Small, so that it must grow.
        ByteBuf buffer = PooledByteBufAllocator.DEFAULT.directBuffer(16);
        buffers.add(buffer);
        return buffer;
    }

    /** The parts shared by the copies of one message. */
    private record Message(TopicName topic, PublishProperties properties, BinaryData payload) {
        PublishPacket packet(QoS qos, int packetId, List<Integer> identifiers) {
            return new PublishPacket(topic, 0, qos, false, false, packetId, properties, identifiers, payload);
        }

        Message expiringIn(long seconds) {
            return new Message(topic, properties.withMessageExpirySeconds(seconds), payload);
        }

        PublishPacket random(RandomGenerator random) {
            QoS qos = QoS.ofLevel(random.nextInt(3));
            boolean acknowledged = qos != QoS.AT_MOST_ONCE;
            return new PublishPacket(
                    topic,
                    random.nextInt(20) == 0 ? 9 : PublishPacket.NO_TOPIC_ALIAS,
                    qos,
                    random.nextBoolean(),
                    acknowledged && random.nextBoolean(),
                    acknowledged ? 1 + random.nextInt(65_535) : PublishPacket.NO_PACKET_ID,
                    properties,
                    switch (random.nextInt(3)) {
                        case 0 -> List.of();
                        case 1 -> List.of(1, 200);
                        default -> List.of(1 + random.nextInt(300));
                    },
                    payload);
        }
    }

    private static Message message(String topic, int payloadBytes) {
        return new Message(
                TopicName.parse(topic, 10),
                new PublishProperties(7, null, "t", null, null, List.of(new UserProperty("k", "v"))),
                BinaryData.wrap(new byte[payloadBytes]));
    }
}
