package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/** Tests with 10,000 bytes for the unfinished packets of all connections. */
final class UnfinishedPacketsTest {
    private static final PacketLimits LIMITS = new PacketLimits(8_192, 8_192, 40, 4, 3);
    private static final int REMAINING = 4_000;
    private static final int PART = 1_197;
    /** PUBLISH at QoS 0 with two length bytes. */
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

    /** A connection that has sent 1,200 bytes of a packet of 4,003, for which 4,800 are charged. */
    private Decoding unfinished() {
        return begin(connection());
    }

    private static Decoding begin(Decoding connection) {
        return connection.write(HEADER).write(Arrays.copyOf(body('t'), PART));
    }

    private static byte[] rest() {
        return Arrays.copyOfRange(body('t'), PART, REMAINING);
    }

    /** A PUBLISH to a topic of one letter. */
    private static byte[] body(char topic) {
        byte[] body = new byte[REMAINING];
        body[1] = 1;
        body[2] = (byte) topic;
        return body;
    }

    private double taken() {
        return metrics.get("heddle.packets.unfinished.bytes").gauge().value();
    }

    @Test
    void packetAboveTheLimitIsRejected() {
        unfinished();
        unfinished();
        assertThat(taken()).isEqualTo(9_600);

        Decoding third = unfinished();

        assertThat(third.faults())
                .singleElement()
                .isInstanceOfSatisfying(
                        ProtocolException.class,
                        refused -> assertThat(refused.reason()).isEqualTo(ReasonCode.QUOTA_EXCEEDED));
        assertThat(taken()).isEqualTo(9_600);
    }

    @Test
    void announcedBytesAreNotCharged() {
        for (int i = 0; i < 100; i++) {
            connection().write(HEADER);
        }
        assertThat(taken()).isZero();

        assertThat(unfinished().faults()).isEmpty();
    }

    @Test
    void receivedBytesAreChargedUpToTwiceThePacket() {
        Decoding slow = unfinished();
        assertThat(taken()).isEqualTo(4_800);
        slow.write(Arrays.copyOf(rest(), 1_200));
        assertThat(taken()).isEqualTo(4_800);

        slow.write(Arrays.copyOfRange(rest(), 1_200, 1_300));
        assertThat(taken()).isEqualTo(8_006);
    }

    @Test
    void growingPacketAboveTheLimitIsRejectedAndReleasesItsCharge() {
        Decoding slow = unfinished();
        unfinished();

        slow.write(Arrays.copyOf(rest(), 1_300));

        assertThat(slow.faults()).hasSize(1);
        assertThat(taken()).isEqualTo(4_800);
    }

    @Test
    void completePacketReleasesItsCharge() {
        Decoding slow = unfinished();
        slow.write(rest());
        assertThat(slow.packets()).hasSize(1);
        assertThat(taken()).isZero();

        begin(slow);
        assertThat(taken()).isEqualTo(4_800);
    }

    @Test
    void closedConnectionReleasesItsCharge() {
        unfinished();
        unfinished();
        closeAll();
        connections.clear();
        assertThat(taken()).isZero();

        assertThat(unfinished().faults()).isEmpty();
    }

    @Test
    void malformedPacketReleasesItsCharge() {
        // A topic name with a wildcard is malformed.
        byte[] body = body('#');
        Decoding faulty = connection().write(HEADER).write(Arrays.copyOf(body, PART));
        faulty.write(Arrays.copyOfRange(body, PART, REMAINING));

        assertThat(faulty.faults()).hasSize(1);
        assertThat(taken()).isZero();
    }

    @Test
    void completeAndSmallPacketsAreNotCharged() {
        unfinished();
        unfinished();

        Decoding whole = connection();
        byte[] packet = new byte[HEADER.length + REMAINING];
        System.arraycopy(HEADER, 0, packet, 0, HEADER.length);
        System.arraycopy(body('t'), 0, packet, HEADER.length, REMAINING);
        whole.write(packet);
        Decoding small = connection().write((byte) 0x30, (byte) 100);

        assertThat(whole.packets()).hasSize(1);
        assertThat(whole.faults()).isEmpty();
        assertThat(small.faults()).isEmpty();
        assertThat(taken()).isEqualTo(9_600);
    }

    /** Nobody knows these clients, and a connection costs them nothing. */
    @Test
    void connectPacketsTakeAtMostAQuarter() {
        UnfinishedPackets larger = new UnfinishedPackets(20_000, new SimpleMeterRegistry());
        byte[] start = new byte[HEADER.length + PART];
        byte[] fixed = {0x10, HEADER[1], HEADER[2], 0, 4, 'M', 'Q', 'T', 'T', 4};
        System.arraycopy(fixed, 0, start, 0, fixed.length);
        List<Decoding> connects = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            Decoding connect = Decoding.awaitingConnect(LIMITS, larger).write(start);
            connects.add(connect);
            connections.add(connect);
        }

        assertThat(connects.stream().mapToInt(each -> each.faults().size()).boxed())
                .containsExactly(0, 1, 1, 1);
        for (int i = 0; i < 3; i++) {
            Decoding publish = Decoding.of(LIMITS, MqttVersion.V3_1_1, larger);
            connections.add(publish);
            assertThat(begin(publish).faults()).isEmpty();
        }

        connects.getFirst().close();
        connections.remove(connects.getFirst());
        Decoding next = Decoding.awaitingConnect(LIMITS, larger).write(start);
        connections.add(next);
        assertThat(next.faults()).isEmpty();
    }
}
