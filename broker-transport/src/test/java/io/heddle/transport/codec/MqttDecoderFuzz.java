package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufUtil;
import io.netty.buffer.Unpooled;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Any bytes, cut into any pieces: the decoder ends with packets or with one protocol fault, takes no more memory than the bytes
 * are worth, and what it understood it understands again when we write it. The inputs that are kept lie in the resources; {@code
 * FuzzCorpusTest} says where they come from, the profile {@code fuzz} looks for more.
 */
class MqttDecoderFuzz {
    private static final int SERVER_BIT = 0x80;
    private static final int CONNECTED_BIT = 0x40;

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /** What the table of topic names and one decoder take, with room for the tools that watch. */
    private static final long FIXED_BYTES = 512 * 1024;

    /** A subscription request or a user property of a few bytes becomes an object with two texts in a list. */
    private static final long BYTES_PER_BYTE = 400;

    /** The first byte says who sends and in which version, the second how the rest, which is the bytes sent, is cut. */
    static byte[] input(Golden.Phase phase, MqttVersion version, int cut, byte[] sent) {
        byte[] input = new byte[2 + sent.length];
        int who = switch (phase) {
            case FIRST -> 0;
            case CLIENT -> CONNECTED_BIT;
            case SERVER -> SERVER_BIT;
        };
        input[0] = (byte) (who | versions().indexOf(version));
        input[1] = (byte) cut;
        System.arraycopy(sent, 0, input, 2, sent.length);
        return input;
    }

    private static List<MqttVersion> versions() {
        return List.of(MqttVersion.values());
    }

    @FuzzTest
    void anyBytesInAnyPieces(byte[] input) {
        if (input.length < 3) {
            return;
        }
        Golden.Phase phase = (input[0] & SERVER_BIT) != 0
                ? Golden.Phase.SERVER
                : (input[0] & CONNECTED_BIT) != 0 ? Golden.Phase.CLIENT : Golden.Phase.FIRST;
        MqttVersion version = versions().get((input[0] & 0x3F) % versions().size());
        byte[] sent = Arrays.copyOfRange(input, 2, input.length);

        Outcome atOnce = decode(phase, version, sent, null);
        Outcome inPieces = decode(phase, version, sent, new SplittableRandom(input[1]));

        assertThat(inPieces.packets()).isEqualTo(atOnce.packets());
        assertThat(inPieces.faults()).isEqualTo(atOnce.faults()).hasSizeLessThan(2);
        long bound = FIXED_BYTES + BYTES_PER_BYTE * sent.length;
        if (atOnce.taken() > bound) {
            // Once more, because whatever ran for the first time took memory to be loaded.
            assertThat(decode(phase, version, sent, null).taken()).isLessThan(bound);
        }
        MqttVersion spoken = version;
        for (MqttPacket packet : atOnce.packets()) {
            if (packet instanceof ConnectPacket connect) {
                spoken = connect.version();
                roundTrip(packet, Golden.Phase.FIRST, spoken);
            } else {
                roundTrip(packet, phase == Golden.Phase.FIRST ? Golden.Phase.CLIENT : phase, spoken);
            }
        }
    }

    /** What came out: packets, and at most one fault; and the bytes of memory that were taken on the way. */
    private record Outcome(List<MqttPacket> packets, List<String> faults, long taken) {}

    private static Outcome decode(
            Golden.Phase phase, MqttVersion version, byte[] sent, @Nullable RandomGenerator cuts) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        try (Decoding decoding = Decoding.of(GoldenPackets.LIMITS, phase, version)) {
            int from = 0;
            while (from < sent.length) {
                int to = cuts == null ? sent.length : Math.min(sent.length, from + 1 + cuts.nextInt(8));
                // Of exactly these bytes, so that reading beyond them cannot go unnoticed.
                decoding.writeUnwatched(Arrays.copyOfRange(sent, from, to));
                from = to;
            }
            List<MqttPacket> packets = decoding.packets();
            long taken = THREADS.getCurrentThreadAllocatedBytes() - allocated;
            assertThat(decoding.receivedBytes()).isEqualTo(sent.length);
            return new Outcome(
                    packets,
                    decoding.faults().stream().map(MqttDecoderFuzz::text).toList(),
                    taken);
        }
    }

    private static String text(Throwable fault) {
        if (fault instanceof ProtocolException broken) {
            ReasonCode reason = broken.reason();
            assertThat(reason.isError()).isTrue();
            return reason + ": " + broken.detail();
        }
        throw new AssertionError("something else than a protocol fault", fault);
    }

    private static void roundTrip(MqttPacket packet, Golden.Phase phase, MqttVersion version) {
        ByteBuf out = Unpooled.buffer();
        new MqttEncoder(version, ConnectProperties.NONE).encode(packet, out);
        try (Decoding decoding = Decoding.of(RandomPackets.LIMITS, phase, version)) {
            decoding.writeUnwatched(ByteBufUtil.getBytes(out));

            assertThat(decoding.faults()).as("%s", packet).isEmpty();
            assertThat(decoding.packets()).isEqualTo(List.of(packet));
        }
    }
}
