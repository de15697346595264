package io.heddle.transport.codec;

import static org.assertj.core.api.Assertions.assertThat;

import com.code_intelligence.jazzer.junit.FuzzTest;
import com.sun.management.ThreadMXBean;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import java.lang.management.ManagementFactory;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/**
 * Feeds arbitrary bytes, cut into arbitrary pieces: the decoder must produce packets or one protocol fault, allocate in
 * proportion to the bytes, and decode its packets again after encoding. The corpus is in the resources, see
 * {@code FuzzCorpusTest}; the profile {@code fuzz} searches for more inputs.
 */
class MqttDecoderFuzz {
    private static final int CONNECTED_BIT = 0x40;

    private static final ThreadMXBean THREADS = ManagementFactory.getPlatformMXBean(ThreadMXBean.class);

    /** Memory of the topic name cache and one decoder, with a margin for the measuring tools. */
    private static final long FIXED_BYTES = 512 * 1024;

    /** A subscription request or a user property of a few bytes becomes an object with two strings in a list. */
    private static final long BYTES_PER_BYTE = 400;

    /** The first byte selects the time and the version, the second how the remaining bytes are cut. */
    static byte[] input(Golden.Phase phase, MqttVersion version, int cut, byte[] sent) {
        byte[] input = new byte[2 + sent.length];
        int who = switch (phase) {
            case FIRST -> 0;
            case CLIENT -> CONNECTED_BIT;
            case SERVER -> throw new IllegalArgumentException("the decoder reads packets of clients");
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
        Golden.Phase phase = (input[0] & CONNECTED_BIT) != 0 ? Golden.Phase.CLIENT : Golden.Phase.FIRST;
        MqttVersion version = versions().get((input[0] & 0x3F) % versions().size());
        byte[] sent = Arrays.copyOfRange(input, 2, input.length);

        Outcome atOnce = decode(phase, version, sent, null);
        Outcome inPieces = decode(phase, version, sent, new SplittableRandom(input[1]));

        assertThat(inPieces.packets()).isEqualTo(atOnce.packets());
        assertThat(inPieces.faults()).isEqualTo(atOnce.faults()).hasSizeLessThan(2);
        long bound = FIXED_BYTES + BYTES_PER_BYTE * sent.length;
        if (atOnce.taken() > bound) {
            // Again, because class loading allocates memory on the first run.
            assertThat(decode(phase, version, sent, null).taken()).isLessThan(bound);
        }
        MqttVersion spoken = version;
        for (MqttPacket packet : atOnce.packets()) {
            if (packet instanceof ConnectPacket connect) {
                spoken = connect.version();
                roundTrip(packet, Golden.Phase.FIRST, spoken);
            } else {
                roundTrip(packet, Golden.Phase.CLIENT, spoken);
            }
        }
    }

    /** The result: packets, at most one fault, and the allocated bytes. */
    private record Outcome(List<MqttPacket> packets, List<String> faults, long taken) {}

    private static Outcome decode(
            Golden.Phase phase, MqttVersion version, byte[] sent, @Nullable RandomGenerator cuts) {
        long allocated = THREADS.getCurrentThreadAllocatedBytes();
        try (Decoding decoding = Decoding.of(GoldenPackets.LIMITS, phase, version)) {
            int from = 0;
            while (from < sent.length) {
                int to = cuts == null ? sent.length : Math.min(sent.length, from + 1 + cuts.nextInt(8));
                // Exactly these bytes, so that reading beyond them is detected.
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
        throw new AssertionError("unexpected exception instead of a protocol fault", fault);
    }

    private static void roundTrip(MqttPacket packet, Golden.Phase phase, MqttVersion version) {
        try (Decoding decoding = Decoding.of(RandomPackets.LIMITS, phase, version)) {
            decoding.writeUnwatched(ClientPackets.encode(packet, version));

            assertThat(decoding.faults()).as("%s", packet).isEmpty();
            assertThat(decoding.packets()).isEqualTo(List.of(packet));
        }
    }
}
