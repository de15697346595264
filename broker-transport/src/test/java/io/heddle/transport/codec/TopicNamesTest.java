package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class TopicNamesTest {
    private final TopicNames names = new TopicNames();
    private final List<EmbeddedChannel> clients = new ArrayList<>();

    @AfterEach
    void close() {
        clients.forEach(EmbeddedChannel::finishAndReleaseAll);
    }

    @Test
    void repeatedNameIsTheSameInstanceOnEveryConnectionOfTheLoop() {
        EmbeddedChannel one = client();
        EmbeddedChannel other = client();
        TopicName first = publish(one, "plant/7/temperature");
        publish(one, "plant/8/temperature");

        assertThat(publish(one, "plant/7/temperature")).isSameAs(first);
        assertThat(publish(other, "plant/7/temperature")).isSameAs(first);
    }

    @Test
    void loopsDoNotShareNames() {
        TopicName first = publish(client(), "a/b");
        EmbeddedChannel elsewhere = client(new TopicNames());

        assertThat(publish(elsewhere, "a/b")).isEqualTo(first).isNotSameAs(first);
    }

    @Test
    void differentNamesAreDistinguished() {
        long seed = Long.getLong("heddle.test.seed", new SplittableRandom().nextLong());
        RandomGenerator random = new SplittableRandom(seed);
        String[] alphabet = {"a", "b", "/", "\u00e9", "\u6e29"};
        List<EmbeddedChannel> publishers = List.of(client(), client());
        for (int i = 0; i < 20_000; i++) {
            StringBuilder topic = new StringBuilder();
            int length = random.nextInt(1, 20);
            for (int c = 0; c < length; c++) {
                topic.append(alphabet[random.nextInt(random.nextBoolean() ? 2 : alphabet.length)]);
            }
            assertThat(publish(publishers.get(random.nextInt(2)), topic.toString())
                            .value())
                    .as("seed %d", seed)
                    .isEqualTo(topic.toString());
        }
    }

    @Test
    void memoryIsBoundedBySlots() {
        EmbeddedChannel client = client();
        Map<String, TopicName> first = new HashMap<>();
        for (int i = 0; i < 5_000; i++) {
            first.put("t/" + i, publish(client, "t/" + i));
        }
        int kept = 0;
        for (Map.Entry<String, TopicName> entry : first.entrySet()) {
            ByteBuf bytes = Unpooled.copiedBuffer(entry.getKey(), StandardCharsets.UTF_8);
            TopicNames.CachedName known = names.find(bytes, 0, bytes.readableBytes());
            kept += known != null && known.topic().equals(entry.getValue()) ? 1 : 0;
        }
        // All slots are used if the hash distributes the names well.
        assertThat(kept).isBetween(900, 1024);
    }

    @Test
    void longNamesAreCachedOnlyByTheirConnection() {
        String topic = "x".repeat(300);
        EmbeddedChannel one = client();
        TopicName first = publish(one, topic);

        assertThat(publish(one, topic)).isSameAs(first);
        assertThat(publish(client(), topic)).isEqualTo(first).isNotSameAs(first);
    }

    private EmbeddedChannel client() {
        return client(names);
    }

    private EmbeddedChannel client(TopicNames topicNames) {
        EmbeddedChannel client = new EmbeddedChannel(new MqttDecoder(
                PacketLimits.DEFAULTS,
                bytes -> {},
                topicNames,
                new UnfinishedPackets(Long.MAX_VALUE, new SimpleMeterRegistry()),
                MqttDecoder.Gate.OPEN));
        clients.add(client);
        client.writeInbound(Unpooled.wrappedBuffer(GoldenPackets.connect(MqttVersion.V3_1_1)));
        client.readInbound();
        return client;
    }

    private static TopicName publish(EmbeddedChannel client, String topic) {
        byte[] bytes = topic.getBytes(StandardCharsets.UTF_8);
        ByteBuf packet = Unpooled.buffer().writeByte(0x30);
        VariableByteInteger.write(Short.BYTES + bytes.length, packet);
        client.writeInbound(packet.writeShort(bytes.length).writeBytes(bytes));
        PublishPacket decoded = Objects.requireNonNull(client.readInbound());
        return Objects.requireNonNull(decoded.topic());
    }
}
