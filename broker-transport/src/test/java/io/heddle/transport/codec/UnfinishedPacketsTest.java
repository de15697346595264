package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Memory for packets of which a part has come: 10,000 bytes for all connections. */
final class UnfinishedPacketsTest {
    private static final PacketLimits LIMITS = new PacketLimits(8_192, 8_192, 40, 4, 3);
    private static final int REMAINING = 2_000;
    /** PUBLISH at QoS 0, and the two bytes that say how long the rest is. */
    private static final byte[] HEADER = {0x30, (byte) (REMAINING % 128 | 0x80), REMAINING / 128};

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final UnfinishedPackets unfinished = new UnfinishedPackets(10_000, metrics);
    private final List<Decoding> connections = new ArrayList<>();

    @AfterEach
    void closeAll() {
        connections.forEach(Decoding::close);
    }

    private Decoding connection() {
        Decoding connection = Decoding.of(LIMITS, MqttVersion.V3_1_1, unfinished);
        connections.add(connection);
        return connection;
    }

    /** One that has sent the beginning of a packet of 2,003 bytes, for which 4,006 are taken. */
    private Decoding unfinished() {
        return connection().write(HEADER);
    }

    private static byte[] rest() {
        byte[] rest = new byte[REMAINING];
        rest[1] = 1;
        rest[2] = 't';
        return rest;
    }

    private double taken() {
        return metrics.get("heddle.packets.unfinished.bytes").gauge().value();
    }

    @Test
    void aPacketThatFindsNoRoomIsRefusedBeforeMemoryIsTakenForIt() {
        unfinished();
        unfinished();
        assertThat(taken()).isEqualTo(8_012);

        Decoding third = unfinished();

        assertThat(third.faults())
                .singleElement()
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED));
        assertThat(taken()).isEqualTo(8_012);
    }

    @Test
    void aPacketThatIsWholeGivesItsRoomBack() {
        Decoding slow = unfinished();
        slow.write(new byte[0]).write(rest());
        assertThat(slow.packets()).hasSize(1);
        assertThat(taken()).isZero();

        slow.write(HEADER);
        assertThat(taken()).isEqualTo(4_006);
    }

    @Test
    void aConnectionThatEndsGivesItsRoomBack() {
        unfinished();
        unfinished();
        closeAll();
        connections.clear();
        assertThat(taken()).isZero();

        assertThat(unfinished().faults()).isEmpty();
    }

    @Test
    void aFaultyPacketGivesItsRoomBack() {
        Decoding faulty = unfinished();
        // A topic name with a wildcard.
        byte[] rest = rest();
        rest[2] = '#';
        faulty.write(rest);

        assertThat(faulty.faults()).hasSize(1);
        assertThat(taken()).isZero();
    }

    @Test
    void whatComesAtOnceAndWhatIsSmallNeedsNoRoom() {
        unfinished();
        unfinished();

        Decoding whole = connection();
        byte[] packet = new byte[HEADER.length + REMAINING];
        System.arraycopy(HEADER, 0, packet, 0, HEADER.length);
        System.arraycopy(rest(), 0, packet, HEADER.length, REMAINING);
        whole.write(packet);
        Decoding small = connection().write((byte) 0x30, (byte) 100);

        assertThat(whole.packets()).hasSize(1);
        assertThat(whole.faults()).isEmpty();
        assertThat(small.faults()).isEmpty();
        assertThat(taken()).isEqualTo(8_012);
    }
}
