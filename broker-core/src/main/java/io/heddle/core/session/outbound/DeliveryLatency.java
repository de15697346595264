package io.heddle.core.session.outbound;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.message.SteadyClock;
import io.heddle.core.mqtt.QoS;
import io.micrometer.core.instrument.Counter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Timer;
import java.time.Duration;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/**
 * Measures the time from the arrival of a PUBLISH at a node until its message is handed to the connection of a subscriber. Only messages with
 * an arrival time are measured, about one in seventeen. Thread-safe, without locks.
 *
 * <p>The two times are of different clocks if the nodes differ. An arrival that seems to be later than the delivery counts as no time at
 * all, and in a counter of its own.
 */
@HotPath
public final class DeliveryLatency {
    private static final Duration[] BOUNDS = {
        Duration.ofNanos(100_000),
        Duration.ofNanos(250_000),
        Duration.ofNanos(500_000),
        Duration.ofMillis(1),
        Duration.ofNanos(2_500_000),
        Duration.ofMillis(5),
        Duration.ofMillis(10),
        Duration.ofMillis(25),
        Duration.ofMillis(50),
        Duration.ofMillis(100),
        Duration.ofMillis(250),
        Duration.ofMillis(500),
        Duration.ofSeconds(1),
        Duration.ofMillis(2_500),
        Duration.ofSeconds(5),
        Duration.ofSeconds(10),
        Duration.ofSeconds(30),
        Duration.ofSeconds(60)
    };

    // By QoS. Stored messages have no QoS 0.
    private final Timer[] direct;
    private final Timer[] device;
    private final Timer[] application;
    private final Counter ahead;

    DeliveryLatency(MeterRegistry registry) {
        direct = timers(DeliveryPath.DIRECT, QoS.AT_MOST_ONCE, registry);
        device = timers(DeliveryPath.DEVICE, QoS.AT_LEAST_ONCE, registry);
        application = timers(DeliveryPath.APPLICATION, QoS.AT_LEAST_ONCE, registry);
        ahead = registry.counter("heddle.delivery.latency.ahead");
    }

    private static Timer[] timers(DeliveryPath path, QoS lowest, MeterRegistry registry) {
        return new Timer[] {
            timer(path, lowest, registry),
            timer(path, QoS.AT_LEAST_ONCE, registry),
            timer(path, QoS.EXACTLY_ONCE, registry)
        };
    }

    private static Timer timer(DeliveryPath path, QoS qos, MeterRegistry registry) {
        return Timer.builder("heddle.delivery.latency")
                .tag("path", path.name().toLowerCase(Locale.ROOT))
                .tag("qos", Integer.toString(qos.level()))
                .serviceLevelObjectives(BOUNDS)
                .register(registry);
    }

    /**
     * A message was handed to a connection.
     *
     * @param qos of the delivery
     */
    public void delivered(DeliveryPath path, QoS qos, PublishMessage message, SteadyClock clock) {
        if (message.isMeasured()) {
            measured(path, qos, clock.micros() - message.arrivedMicros());
        }
    }

    private void measured(DeliveryPath path, QoS qos, long micros) {
        if (micros < 0) {
            ahead.increment();
        }
        timers(path)[qos.level()].record(Math.max(0, micros), TimeUnit.MICROSECONDS);
    }

    private Timer[] timers(DeliveryPath path) {
        return switch (path) {
            case DIRECT -> direct;
            case DEVICE -> device;
            case APPLICATION -> application;
        };
    }
}
