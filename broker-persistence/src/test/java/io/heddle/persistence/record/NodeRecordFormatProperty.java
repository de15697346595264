package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.MemberState;
import io.heddle.core.cluster.NodeDescription;
import io.heddle.core.cluster.NodeDescription.LinkEndpoint;
import io.heddle.core.cluster.NodeId;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.cluster.NodeRecord.Condemned;
import io.heddle.core.cluster.NodeRecord.Dead;
import io.heddle.core.cluster.NodeRecord.Draining;
import io.heddle.core.cluster.NodeRecord.Heartbeat;
import io.heddle.core.cluster.NodeRecord.Joined;
import io.heddle.core.cluster.NodeRecord.Left;
import io.heddle.core.cluster.NodeRecord.Released;
import io.heddle.core.cluster.NodeRecord.RulesChanged;
import io.heddle.core.cluster.NodeRecord.Serving;
import io.heddle.core.cluster.NodeRecord.Took;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.random.RandomGenerator;
import java.util.random.RandomGeneratorFactory;
import org.junit.jupiter.api.RepeatedTest;
import org.junit.jupiter.api.RepetitionInfo;

/** Reads random records back, and reads random bytes without any other exception than {@link UnreadableRecordException}. */
class NodeRecordFormatProperty {
    private static final int RECORDS = 500;
    private static final int BUCKETS = 1_024;
    private static final List<MemberState> STATES =
            List.of(MemberState.JOINED, MemberState.SERVING, MemberState.DRAINING);

    @RepeatedTest(10)
    void aRecordIsReadBack(RepetitionInfo repetition) {
        long seed = seed(repetition);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int i = 0; i < RECORDS; i++) {
            NodeRecord record = record(random);
            byte[] bytes = NodeRecordFormat.encode(record);
            assertThat(read(bytes)).as("seed %d, record %d", seed, i).isEqualTo(record);
        }
    }

    @RepeatedTest(10)
    void damagedRecordsAreReadOrRejected(RepetitionInfo repetition) {
        long seed = seed(repetition);
        RandomGenerator random = RandomGeneratorFactory.of("L64X128MixRandom").create(seed);
        for (int i = 0; i < RECORDS; i++) {
            byte[] bytes = NodeRecordFormat.encode(record(random));
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt();
            try {
                assertThat(read(bytes)).as("seed %d, record %d", seed, i).isNotNull();
            } catch (UnreadableRecordException damaged) {
                assertThat(damaged).as("seed %d, record %d", seed, i).hasMessageStartingWith("The record");
            }
        }
    }

    private static NodeRecord record(RandomGenerator random) {
        Incarnation writer = incarnation(random);
        return switch (random.nextInt(10)) {
            case 0 -> new Joined(node(random), random.nextInt());
            case 1 ->
                new Heartbeat(
                        writer,
                        node(random),
                        STATES.get(random.nextInt(STATES.size())),
                        random.nextLong(),
                        random.nextLong(),
                        buckets(random),
                        unreachable(random));
            case 2 -> new Serving(writer);
            case 3 -> new Draining(writer);
            case 4 -> new Took(writer, buckets(random));
            case 5 -> new Released(writer, buckets(random));
            case 6 -> new Left(writer);
            case 7 -> new RulesChanged(writer, random.nextLong(), "allow all ü".repeat(random.nextInt(3)));
            case 8 -> new Condemned(writer, incarnation(random));
            default -> new Dead(writer, incarnation(random), random.nextLong());
        };
    }

    private static NodeDescription node(RandomGenerator random) {
        return new NodeDescription(
                new NodeId("n" + random.nextInt()),
                random.nextBoolean() ? "" : "host-" + random.nextInt() + ":é",
                random.nextBoolean() ? "" : "process-" + random.nextInt(),
                random.nextInt(1 << Short.SIZE),
                random.nextInt(1 << Byte.SIZE),
                random.nextBoolean()
                        ? LinkEndpoint.NONE
                        : new LinkEndpoint("10.0.0.5:" + random.nextInt(), Long.toHexString(random.nextLong())));
    }

    private static Incarnation incarnation(RandomGenerator random) {
        return new Incarnation(random.nextLong(Long.MAX_VALUE), random.nextInt());
    }

    private static Set<Integer> buckets(RandomGenerator random) {
        Set<Integer> buckets = new HashSet<>();
        int count = random.nextInt(10) == 0 ? BUCKETS : random.nextInt(5);
        for (int i = 0; i < count; i++) {
            buckets.add(random.nextInt(BUCKETS));
        }
        return buckets;
    }

    private static Map<Incarnation, Long> unreachable(RandomGenerator random) {
        Map<Incarnation, Long> unreachable = new HashMap<>();
        for (int i = random.nextInt(3); i > 0; i--) {
            unreachable.put(incarnation(random), random.nextLong());
        }
        return unreachable;
    }

    private static NodeRecord read(byte[] bytes) {
        return NodeRecordFormat.read(new RecordReader(bytes, () -> "The record"));
    }

    private static long seed(RepetitionInfo repetition) {
        return Long.getLong("heddle.test.seed", System.nanoTime()) + repetition.getCurrentRepetition();
    }
}
