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
import io.netty.buffer.Unpooled;
import java.util.ArrayList;
import java.util.List;

/** The bytes of 32 PUBLISH packets, as one read or as one read each. Whoever reads them releases them, as ever in Netty. */
final class PublishReads {
    static final int PACKETS = 32;

    private static final int PAYLOAD_BYTES = 64;

    private final List<ByteBuf> singles = new ArrayList<>();
    private ByteBuf together = Unpooled.EMPTY_BUFFER;
    private int togetherBytes;
    private int singleBytes;

    static PublishPacket packet(int device) {
        return new PublishPacket(
                // Two digits, so that all packets are of one length.
                Plant.parse(Plant.topic(7, 3, 10 + device)),
                PublishPacket.NO_TOPIC_ALIAS,
                QoS.AT_MOST_ONCE,
                false,
                false,
                PublishPacket.NO_PACKET_ID,
                PublishProperties.NONE,
                List.of(),
                BinaryData.wrap(new byte[PAYLOAD_BYTES]));
    }

    void prepare(MqttVersion version, int topics) {
        MqttEncoder encoder = new MqttEncoder(version, ConnectProperties.NONE);
        together = ByteBufAllocator.DEFAULT.directBuffer();
        for (int i = 0; i < PACKETS; i++) {
            PublishPacket packet = packet(i % topics);
            encoder.encode(packet, together);
            ByteBuf single = ByteBufAllocator.DEFAULT.directBuffer();
            singleBytes = encoder.encode(packet, single);
            singles.add(single);
        }
        togetherBytes = together.readableBytes();
    }

    ByteBuf together() {
        return together.setIndex(0, togetherBytes).retain();
    }

    ByteBuf single(int i) {
        return singles.get(i).setIndex(0, singleBytes).retain();
    }

    void release() {
        together.release();
        singles.forEach(ByteBuf::release);
    }
}
