package io.heddle.core.simulation.kafka;

import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.LongConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The idempotent producer of one process. Records of a partition stay in order and are never given up. The buffer belongs to the process: it
 * is lost with it, and survives a freeze, so that its records may be appended much later. A batch on its way to Kafka arrives in any case.
 */
final class SimProducer {
    private static final int MAXIMUM_BATCH = 50;
    private static final long RETRY_MICROS = 20_000;

    private final World world;
    private final SimProcess process;
    private final Map<SimPartition, ArrayDeque<Buffered>> buffers = new HashMap<>();
    private final Set<SimPartition> inFlight = new HashSet<>();
    private int buffered;

    private record Buffered(@Nullable Object key, @Nullable Object value, LongConsumer appended) {}

    SimProducer(World world, SimProcess process) {
        this.world = world;
        this.process = process;
    }

    /** The number of records that are not appended, as far as the process knows. */
    int buffered() {
        return buffered;
    }

    /** @param appended receives the offset */
    void send(SimPartition partition, @Nullable Object key, @Nullable Object value, LongConsumer appended) {
        buffers.computeIfAbsent(partition, _ -> new ArrayDeque<>()).add(new Buffered(key, value, appended));
        buffered++;
        // Records of one moment share a batch.
        world.after(process, world.random().nextInt(1, 300), () -> drain(partition));
    }

    private void drain(SimPartition partition) {
        ArrayDeque<Buffered> buffer = buffers.get(partition);
        if (buffer == null || buffer.isEmpty() || !inFlight.add(partition)) {
            return;
        }
        List<Buffered> batch = new ArrayList<>();
        while (!buffer.isEmpty() && batch.size() < MAXIMUM_BATCH) {
            batch.add(buffer.remove());
        }
        request(partition, batch);
    }

    private void request(SimPartition partition, List<Buffered> batch) {
        world.after(world.environment(), world.delay(), () -> {
            if (partition.isAway()) {
                world.after(process, RETRY_MICROS, () -> request(partition, batch));
                return;
            }
            long[] offsets = batch.stream()
                    .mapToLong(record -> partition.append(record.key, record.value, null))
                    .toArray();
            world.after(process, world.delay(), () -> answered(partition, batch, offsets));
        });
    }

    private void answered(SimPartition partition, List<Buffered> batch, long[] offsets) {
        inFlight.remove(partition);
        buffered -= batch.size();
        for (int i = 0; i < offsets.length; i++) {
            batch.get(i).appended.accept(offsets[i]);
        }
        drain(partition);
    }
}
