package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.faults.Fault.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;

/** Faults in random order, which follows from a seed: all of a deck of kinds, then all again. One test thread. */
final class FaultSequence {
    /** The ends of brokers more often than the others. */
    private static final List<Kind> DECK = List.of(
            Kind.KILL_BROKER,
            Kind.KILL_BROKER,
            Kind.KILL_BROKER,
            Kind.STOP_BROKER,
            Kind.STOP_BROKER,
            Kind.FREEZE_BEYOND_LEASE,
            Kind.FREEZE_BEYOND_LEASE,
            Kind.FREEZE_BELOW_LEASE,
            Kind.KILL_KAFKA,
            Kind.FREEZE_REDIS,
            Kind.KILL_REDIS,
            Kind.CUT_LINKS,
            Kind.SILENCE_LINKS,
            Kind.CUT_FROM_KAFKA_NODE,
            Kind.SILENCE_KAFKA,
            Kind.CUT_FROM_KAFKA);

    private static final double PREFERS_LISTENING = 0.7;

    private final RandomGenerator random;
    private final List<Kind> rest = new ArrayList<>();

    FaultSequence(long seed) {
        random = new SplittableRandom(seed);
    }

    Fault next() {
        if (rest.isEmpty()) {
            rest.addAll(DECK);
            Collections.shuffle(rest, random);
        }
        return new Fault(
                rest.removeLast(),
                random.nextInt(ClusterUnderTest.NODES),
                random.nextDouble() < PREFERS_LISTENING,
                random.nextDouble());
    }
}
