package io.heddle.perf.jmh;

import io.heddle.perf.load.accounting.Flows;
import io.heddle.perf.load.accounting.Groups;
import io.heddle.perf.load.accounting.Latencies;
import io.heddle.perf.load.accounting.Windows;
import io.heddle.perf.load.wire.ConnAck;
import io.heddle.perf.load.wire.MqttVersion;
import io.heddle.perf.load.wire.PacketHandler;
import io.heddle.perf.load.wire.PacketReader;
import io.heddle.perf.load.wire.PublishTemplate;
import io.heddle.perf.load.wire.Stamp;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/**
 * The cost of a message in the load generator without system calls: one read with a full window of ten publishers, as a subscriber of a
 * fan-out gets it, and the write of as many messages.
 */
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(2)
public class GeneratorBenchmark {
    private static final int PUBLISHERS = 10;
    private static final int WINDOW = 4;
    private static final int MESSAGES = PUBLISHERS * WINDOW;
    private static final int PAYLOAD_BYTES = 66;
    private static final int RUN = 42;

    /** The version of the packets. */
    @Param({"V3_1_1", "V5"})
    private MqttVersion version = MqttVersion.V3_1_1;

    private final ByteBuffer buffer = ByteBuffer.allocateDirect(256 * 1024);
    private final long[] published = new long[PUBLISHERS];
    private final Groups groups = new Groups(1, PUBLISHERS, 1);
    private final Flows flows = new Flows(groups, published);
    private final Windows windows = new Windows(groups, WINDOW, published);
    private final Latencies latencies = new Latencies();
    private final PublishTemplate[] templates = new PublishTemplate[PUBLISHERS];
    private final Receiver receiver = new Receiver();

    /** Writes the bytes of one read, and checks that all messages arrive. */
    @Setup(Level.Trial)
    public void prepare() {
        for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
            templates[publisher] =
                    new PublishTemplate(version, "country/city/" + publisher, 0, false, new byte[PAYLOAD_BYTES]);
        }
        publish();
        long before = flows.delivered();
        receive();
        if (flows.delivered() - before != MESSAGES || flows.missing() > 0) {
            throw new IllegalStateException(flows.delivered() - before + " messages delivered, not " + MESSAGES);
        }
    }

    /** Writes a full window of each publisher. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public ByteBuffer publish() {
        buffer.clear();
        for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
            for (int message = 0; message < WINDOW; message++) {
                templates[publisher].write(buffer, 0, RUN, publisher, message, 0);
            }
        }
        return buffer.flip();
    }

    /** Reads and records the messages. */
    @Benchmark
    @OperationsPerInvocation(MESSAGES)
    public long receive() {
        for (int publisher = 0; publisher < PUBLISHERS; publisher++) {
            for (int message = 0; message < WINDOW; message++) {
                windows.sent(publisher, published[publisher]);
                published[publisher]++;
            }
        }
        receiver.nowNanos += 1_000;
        buffer.position(0);
        PacketReader.read(buffer, version, receiver);
        receiver.round += WINDOW;
        return flows.delivered();
    }

    /** A subscriber of the generator. Adds an offset for the round, since the sequence numbers in the buffer do not change. */
    private final class Receiver implements PacketHandler {
        private long nowNanos;
        private long round;

        @Override
        public void publish(ByteBuffer in, int qos, int packetId, int payloadAt, int payloadLength) {
            if (payloadLength != PAYLOAD_BYTES || Stamp.run(in, payloadAt) != RUN) {
                throw new IllegalStateException("Not the message that was written");
            }
            int publisher = Stamp.publisher(in, payloadAt);
            long sequence = Stamp.sequence(in, payloadAt) + round;
            if (flows.delivered(0, publisher, sequence)) {
                latencies.record(nowNanos - Stamp.intendedNanos(in, payloadAt));
                windows.delivered(publisher, sequence);
            }
        }

        @Override
        public void connAck(ConnAck packet) {
            throw new IllegalStateException();
        }

        @Override
        public void acknowledgement(int type, int packetId, int reasonCode) {
            throw new IllegalStateException();
        }

        @Override
        public void subAck(int packetId, List<Integer> codes) {
            throw new IllegalStateException();
        }

        @Override
        public void unsubAck(int packetId) {
            throw new IllegalStateException();
        }

        @Override
        public void pingResp() {
            throw new IllegalStateException();
        }

        @Override
        public void disconnect(int reasonCode) {
            throw new IllegalStateException();
        }
    }
}
