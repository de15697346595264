package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.faults.Fault.Kind;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.SplittableRandom;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

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
            Kind.CUT_PAIR,
            Kind.CUT_ONE_WAY,
            Kind.SILENCE_PAIR,
            Kind.CUT_FROM_KAFKA_NODE,
            Kind.SILENCE_KAFKA,
            Kind.CUT_FROM_KAFKA,
            Kind.CUT_FROM_REDIS,
            Kind.CUT_FROM_REDIS_MASTER,
            Kind.CUT_FROM_POSTGRES);

    private static final List<Kind> NETWORK =
            DECK.stream().filter(NetworkOutage::is).toList();

    private static final double PREFERS_LISTENING = 0.7;
    private static final double TWO_AT_ONCE = 0.2;

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
        Kind kind = rest.removeLast();
        Fault network =
                random.nextDouble() < TWO_AT_ONCE ? fault(NETWORK.get(random.nextInt(NETWORK.size())), null) : null;
        return fault(kind, network);
    }

    private Fault fault(Kind kind, @Nullable Fault network) {
        return new Fault(
                kind,
                random.nextInt(ClusterUnderTest.NODES),
                random.nextDouble() < PREFERS_LISTENING,
                random.nextDouble(),
                network);
    }
}
