package io.heddle.perf.jmh;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.View;
import io.heddle.transport.link.LinkIdentity;
import io.heddle.transport.link.LinkSettings;
import io.heddle.transport.link.Links;
import io.heddle.transport.listener.EventLoops;
import io.heddle.transport.listener.Transport;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Frames from one node to another over TLS and loopback, both in this process. One operation is one frame, until it is accepted. The row
 * {@code :cpu} of {@link CpuTime} is the processor time of both sides with their system calls. The sender waits while the lane is full.
 */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 2)
@Measurement(iterations = 5, time = 2)
@Fork(
        value = 1,
        jvmArgsAppend = {
            "-XX:+UseCompactObjectHeaders",
            "--enable-native-access=ALL-UNNAMED",
            "--sun-misc-unsafe-memory-access=allow"
        })
public class LinkBenchmark {
    private static final int KIND = 1;
    private static final int DATA_LANE = 1;
    private static final int RANDOM = 1;
    private static final long FULL_PAUSE_NANOS = 50_000;
    private static final long CONNECT_NANOS = TimeUnit.SECONDS.toNanos(30);

    /** Two nodes with a link. */
    @State(Scope.Benchmark)
    public static class TwoNodes {
        @Param({"200"})
        private int payloadBytes;

        /** Frames for each pause of the sender, or 0 for as many as the link takes. Each pause is a millisecond. */
        @Param({"0", "1"})
        private int framesPerMillisecond;

        private final AtomicLong received = new AtomicLong();
        private final EventLoops loops = new EventLoops(Transport.AUTO, 2);
        private final Links from = links();
        private final Links to = links();
        private final Incarnation receiver = new Incarnation(1, RANDOM);
        private byte[] payload = {};
        private long sent;

        private Links links() {
            return new Links(
                    loops,
                    LinkSettings.of(8 << 20, Duration.ofSeconds(10)),
                    LinkIdentity.create(new SecureRandom()),
                    new SimpleMeterRegistry());
        }

        private static Joined joined(Links links, String name) {
            InetAddress loopback = InetAddress.getLoopbackAddress();
            return new Joined(
                    new NodeDescription(
                            new NodeId(name), "", "", 1, 1, links.endpoint(loopback, links.start(loopback, 0, 0))),
                    RANDOM);
        }

        /** Connects the nodes. */
        @Setup(Level.Trial)
        public void connect() {
            payload = new byte[payloadBytes];
            to.receive(KIND, KIND, (_, _, _, _) -> received.incrementAndGet());
            View view =
                    View.atBeginning(0, 1).after(0, joined(from, "from")).after(receiver.offset(), joined(to, "to"));
            from.onView(view);
            to.onView(view);
            long end = System.nanoTime() + CONNECT_NANOS;
            while (!from.isUp(receiver)) {
                if (System.nanoTime() - end >= 0) {
                    throw new IllegalStateException("the nodes have no link");
                }
                LockSupport.parkNanos(FULL_PAUSE_NANOS);
            }
        }

        void send() {
            while (!from.send(receiver, DATA_LANE, KIND, payload)) {
                LockSupport.parkNanos(FULL_PAUSE_NANOS);
            }
            sent++;
            if (framesPerMillisecond > 0 && sent % framesPerMillisecond == 0) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
            }
        }

        /** Checks that every frame has arrived. */
        @TearDown(Level.Trial)
        public void stop() {
            long end = System.nanoTime() + CONNECT_NANOS;
            while (received.get() < sent && System.nanoTime() - end < 0) {
                LockSupport.parkNanos(FULL_PAUSE_NANOS);
            }
            from.stop();
            to.stop();
            loops.close();
            if (received.get() != sent) {
                throw new IllegalStateException(sent + " frames were sent, and " + received + " received");
            }
        }
    }

    /** Sends one frame. */
    @Benchmark
    public void send(TwoNodes nodes) {
        nodes.send();
    }
}
