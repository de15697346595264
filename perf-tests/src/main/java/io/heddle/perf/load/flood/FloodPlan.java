package io.heddle.perf.load.flood;

import io.heddle.perf.load.process.MeasuredProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A flood and its measurement.
 *
 * @param name for the report
 * @param kind makes the attack ready, on its thread
 * @param warmUp of the well-behaved clients alone, not measured
 * @param calm measured before and after the flood
 * @param duration of the flood
 * @param rate messages per second of each well-behaved pair
 * @param opening how fast attackers open connections
 * @param giveUp how long the end waits for messages; the well-behaved clients have twice as long to connect
 * @param leave whether sessions and messages of the attack stay at the broker
 * @param processes the broker first
 * @param requiredP99 a longer p99 of messages or PUBACK during the flood is a fault; null for any
 * @param requiredConnect a longer time to CONNACK during the flood, or a refused CONNECT, is a fault; null for any
 */
public record FloodPlan(
        String name,
        Function<AttackContext, Flood> kind,
        Duration warmUp,
        Duration calm,
        Duration duration,
        double rate,
        OpeningPace opening,
        Duration giveUp,
        boolean leave,
        List<MeasuredProcess> processes,
        @Nullable Duration requiredP99,
        @Nullable Duration requiredConnect) {
    public FloodPlan {
        processes = List.copyOf(processes);
    }
}
