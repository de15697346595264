package io.heddle.perf.load.flood;

import io.heddle.perf.load.process.MeasuredProcess;
import java.time.Duration;
import java.util.List;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * A flood and its measurement.
 *
 * @param name the name in the report
 * @param kind prepares the attack, on its thread
 * @param warmUp time of the well-behaved clients alone, not measured
 * @param calm time of each measurement before and after the flood
 * @param duration time of the flood
 * @param rate messages per second of each well-behaved pair
 * @param connectionRate the limits for connections of attackers
 * @param giveUp timeout for outstanding messages at the end; the well-behaved clients have twice as long to connect
 * @param leave whether sessions and messages of the attack are left at the broker
 * @param processes measured processes, the broker first
 * @param requiredP99 maximum p99 of messages and PUBACKs during the flood; null for no limit
 * @param requiredConnect maximum time to CONNACK during the flood, without refused CONNECTs; null for no limit
 */
public record FloodPlan(
        String name,
        Function<AttackContext, Flood> kind,
        Duration warmUp,
        Duration calm,
        Duration duration,
        double rate,
        ConnectionRate connectionRate,
        Duration giveUp,
        boolean leave,
        List<MeasuredProcess> processes,
        @Nullable Duration requiredP99,
        @Nullable Duration requiredConnect) {
    public FloodPlan {
        processes = List.copyOf(processes);
    }
}
