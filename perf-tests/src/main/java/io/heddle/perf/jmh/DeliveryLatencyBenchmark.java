package io.heddle.perf.jmh;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIncidents;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.outbound.DeliveryLatency;
import io.heddle.core.session.outbound.DeliveryPath;
import io.heddle.core.session.outbound.SessionMetrics;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.InstantSource;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/** What the measured time until delivery costs: one operation is the arrival and one delivery of a message. */
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(value = 1, jvmArgsAppend = "-XX:+UseCompactObjectHeaders")
@State(Scope.Thread)
public class DeliveryLatencyBenchmark {
    private static final int MEASURED_SHARE = 17;

    private final SteadyClock clock = new SteadyClock(InstantSource.system(), System::nanoTime);
    private final DeliveryLatency latency = latency();
    private final PublishMessage message = new PublishMessage(
            new ClientId("load-pub-1"),
            SampleData.parse("country/city/1"),
            QoS.AT_MOST_ONCE,
            false,
            PublishProperties.NONE,
            BinaryData.EMPTY,
            PublishMessage.NEVER_EXPIRES);
    private int unmeasured;

    private static DeliveryLatency latency() {
        SimpleMeterRegistry registry = new SimpleMeterRegistry();
        return new SessionMetrics(new ClientIncidents(System::nanoTime, registry), new Ledger(registry), null, registry)
                .latency();
    }

    /** A message that is not measured. */
    @Benchmark
    public void unmeasured() {
        latency.delivered(DeliveryPath.DIRECT, QoS.AT_MOST_ONCE, message, clock);
    }

    /** A message that is measured. */
    @Benchmark
    public void measured() {
        PublishMessage arrived = message.arrivedAt(clock.micros());
        latency.delivered(DeliveryPath.DIRECT, QoS.AT_MOST_ONCE, arrived, clock);
    }

    /** The messages of a connection, of which one in {@value #MEASURED_SHARE} is measured. */
    @Benchmark
    public void sampled() {
        PublishMessage arrived = message;
        if (unmeasured > 0) {
            unmeasured--;
        } else {
            unmeasured = MEASURED_SHARE - 1;
            arrived = message.arrivedAt(clock.micros());
        }
        latency.delivered(DeliveryPath.DIRECT, QoS.AT_MOST_ONCE, arrived, clock);
    }
}
