package io.heddle.perf.jmh;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.transport.codec.MqttEncoder;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import java.util.ArrayList;
import java.util.List;

/** The bytes of PUBLISH packets, with 32 or one in each read. The reader releases them. */
final class PublishReads {
    static final int PACKETS = 32;

    private static final int PAYLOAD_BYTES = 64;

    private final List<ByteBuf> singles = new ArrayList<>();
    private final List<ByteBuf> together = new ArrayList<>();
    private int togetherBytes;
    private int singleBytes;
    private int nextSingle;
    private int nextTogether;

    static PublishPacket packet(int device) {
        return new PublishPacket(
                // Four digits, so that all packets have the same length.
                SampleData.parse(SampleData.topic(7, 3, 1000 + device)),
                PublishPacket.NO_TOPIC_ALIAS,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(new byte[PAYLOAD_BYTES]));
    }

    /** Encodes packets that use the topics in turn. */
    void prepare(MqttVersion version, int topics) {
        MqttEncoder encoder = new MqttEncoder(version, ConnectProperties.NONE);
        for (int device = 0; device < Math.max(topics, PACKETS); device++) {
            if (device % PACKETS == 0) {
                together.add(ByteBufAllocator.DEFAULT.directBuffer());
            }
            PublishPacket packet = packet(device % topics);
            encoder.encode(packet, together.getLast());
            ByteBuf single = ByteBufAllocator.DEFAULT.directBuffer();
            singleBytes = encoder.encode(packet, single);
            singles.add(single);
        }
        togetherBytes = PACKETS * singleBytes;
    }

    /** The next {@value #PACKETS} packets in one read. */
    ByteBuf together() {
        ByteBuf read = together.get(nextTogether);
        nextTogether = (nextTogether + 1) % together.size();
        return read.setIndex(0, togetherBytes).retain();
    }

    /** The next packet. */
    ByteBuf single() {
        ByteBuf read = singles.get(nextSingle);
        nextSingle = (nextSingle + 1) % singles.size();
        return read.setIndex(0, singleBytes).retain();
    }

    void release() {
        together.forEach(ByteBuf::release);
        singles.forEach(ByteBuf::release);
    }
}
