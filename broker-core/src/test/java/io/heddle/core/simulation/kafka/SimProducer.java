package io.heddle.core.simulation.kafka;

import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.World;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
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
    private final Map<SimPartition, ArrayDeque<Buffered>> buffers = new LinkedHashMap<>();
    private final Map<SimPartition, Batch> inFlight = new LinkedHashMap<>();
    private int buffered;

    private record Buffered(@Nullable Object key, @Nullable Object value, LongConsumer appended) {}

    /** The records of one request. */
    private static final class Batch {
        private final List<Buffered> records = new ArrayList<>();
        private boolean appended;

        /** Appends the records and returns their offsets; null if they are appended. */
        private long @Nullable [] appendTo(SimPartition partition) {
            if (appended) {
                return null;
            }
            appended = true;
            return records.stream()
                    .mapToLong(record -> partition.append(record.key, record.value, null))
                    .toArray();
        }
    }

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

    /**
     * The process is dead, but its buffers arrive later all the same, as if it had been frozen.
     *
     * @param behind runs when some of them arrive behind another transaction, before that is answered
     */
    void landLate(Runnable behind) {
        buffers.forEach((partition, buffer) -> {
            long delay = world.random().nextLong(100_000, 6_000_000);
            Runnable land = () -> {
                world.trace(() -> buffer.size() + " late appends to " + partition);
                Batch batch = inFlight.get(partition);
                if (batch != null) {
                    var _ = batch.appendTo(partition);
                }
                buffer.forEach(record -> partition.append(record.key, record.value, null));
            };
            world.after(
                    world.environment(),
                    delay,
                    world.random().nextBoolean() ? land : () -> landBehind(partition, land, behind));
        });
    }

    /** Lands shortly after the next transaction, whose records may be what the late ones spoil. */
    private void landBehind(SimPartition partition, Runnable land, Runnable behind) {
        long end = partition.end();
        Runnable[] reader = {() -> {}};
        reader[0] = () -> {
            if (partition.isInTransactionSince(end)) {
                partition.forget(reader[0]);
                world.after(world.environment(), world.random().nextLong(3_000), behind);
                world.after(world.environment(), world.random().nextLong(20_000), land);
            }
        };
        partition.whenChanged(reader[0]);
    }

    private void drain(SimPartition partition) {
        ArrayDeque<Buffered> buffer = buffers.get(partition);
        if (buffer == null || buffer.isEmpty() || inFlight.containsKey(partition)) {
            return;
        }
        Batch batch = new Batch();
        while (!buffer.isEmpty() && batch.records.size() < MAXIMUM_BATCH) {
            batch.records.add(buffer.remove());
        }
        inFlight.put(partition, batch);
        request(partition, batch);
    }

    private void request(SimPartition partition, Batch batch) {
        world.after(world.environment(), world.delay(), () -> {
            if (partition.isAway()) {
                world.after(process, RETRY_MICROS, () -> request(partition, batch));
                return;
            }
            long[] offsets = batch.appendTo(partition);
            if (offsets == null) {
                return;
            }
            world.after(process, world.delay(), () -> answered(partition, batch.records, offsets));
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
