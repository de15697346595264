package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The room that is left for messages which must be stored: the bound of the bucket logs and the free space of the disk. While it is
 * exhausted, publications that need it are refused. One thread measures, any thread asks.
 *
 * <p>States: available, disk low, log full. Each shortage ends a little above the bound that began it, so that the state does not
 * change with every message.
 */
@HotPath
public final class StorageRoom {
    /** The free space of a disk that the node cannot see. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    private static final Logger log = LoggerFactory.getLogger(StorageRoom.class);
    private static final int MEBIBYTE_BITS = 20;
    private static final int HYSTERESIS = 8;
    /** Kafka frees the space of deleted records later; more than that is a log that it does not free. */
    private static final int MOST_UNFREED = 2;

    /** What is short. */
    public enum State {
        AVAILABLE,
        DISK_LOW,
        LOG_FULL
    }

    private final long maximumBytes;
    private final long minimumFreeBytes;
    private final LongSupplier freeBytes;
    private volatile State state = State.AVAILABLE;
    private volatile boolean exhausted;
    private volatile long keptBytes;
    private volatile long lastFreeBytes = UNKNOWN;

    /**
     * Room that nothing has been measured of yet.
     *
     * @param maximumBytes of all bucket logs together
     * @param minimumFreeBytes of the disk
     * @param freeBytes of the disk, {@link #UNKNOWN} when the node cannot see it; asked by the measuring thread
     */
    public StorageRoom(long maximumBytes, long minimumFreeBytes, LongSupplier freeBytes, MeterRegistry metrics) {
        this.maximumBytes = maximumBytes;
        this.minimumFreeBytes = minimumFreeBytes;
        this.freeBytes = freeBytes;
        Gauge.builder("heddle.buckets.bytes", this, room -> room.keptBytes)
                .baseUnit("bytes")
                .register(metrics);
        Gauge.builder("heddle.buckets.maximum.bytes", this, room -> room.maximumBytes)
                .baseUnit("bytes")
                .register(metrics);
        Gauge.builder("heddle.disk.free.bytes", this, room -> known(room.lastFreeBytes))
                .baseUnit("bytes")
                .register(metrics);
        Gauge.builder("heddle.storage.exhausted", this, room -> room.exhausted ? 1 : 0)
                .register(metrics);
    }

    /** Room without a bound, for tests and benchmarks. */
    public static StorageRoom unlimited(MeterRegistry metrics) {
        return new StorageRoom(Long.MAX_VALUE / MOST_UNFREED, 0, () -> UNKNOWN, metrics);
    }

    private static double known(long free) {
        return free == UNKNOWN ? Double.NaN : free;
    }

    /** Whether publications that must be stored are refused. */
    public boolean isExhausted() {
        return exhausted;
    }

    /** What is short at this moment. */
    public State state() {
        return state;
    }

    /** The free space of the disk when it was measured last, or {@link #UNKNOWN}. */
    public long freeBytes() {
        return lastFreeBytes;
    }

    /** The free space below which publications are refused. */
    public long minimumFreeBytes() {
        return minimumFreeBytes;
    }

    /** The bound of all bucket logs together. */
    public long maximumBytes() {
        return maximumBytes;
    }

    /** The size of all bucket logs together when it was measured last, without deleted records. */
    public long keptBytes() {
        return keptBytes;
    }

    /** Measures the free space of the disk. Measuring thread only. */
    public long measureFreeBytes() {
        long free = freeBytes.getAsLong();
        lastFreeBytes = free;
        return free;
    }

    /**
     * Judges the room that is left. Measuring thread only.
     *
     * @param kept bytes of all bucket logs together, without deleted records
     * @param onDisk the same with deleted records whose space Kafka has not freed yet
     */
    public void judge(long kept, long onDisk) {
        keptBytes = kept;
        State next = next(kept, onDisk, lastFreeBytes);
        if (next == state) {
            return;
        }
        state = next;
        exhausted = next != State.AVAILABLE;
        switch (next) {
            case AVAILABLE ->
                log.info("Messages are stored again: {} MB of the disk are free", megabytes(lastFreeBytes));
            case DISK_LOW ->
                log.error(
                        "Publications that must be stored are refused (0x97): the disk of the data directory has {} MB"
                                + " free, less than heddle.standalone.minimum-free ({} MB); free some space",
                        megabytes(lastFreeBytes),
                        megabytes(minimumFreeBytes));
            case LOG_FULL ->
                log.error(
                        "Publications that must be stored are refused (0x97): the bucket logs hold {} MB, more than"
                                + " heddle.buckets.maximum-bytes ({} MB), of records that Redis has not applied or that"
                                + " heddle.buckets.minimum-replay-window protects; check Redis, or raise the limit",
                        megabytes(Math.max(kept, onDisk)),
                        megabytes(maximumBytes));
        }
    }

    private State next(long kept, long onDisk, long free) {
        boolean wasLow = state == State.DISK_LOW;
        if (free < minimumFreeBytes + (wasLow ? minimumFreeBytes / HYSTERESIS : 0)) {
            return State.DISK_LOW;
        }
        long bound = maximumBytes - (state == State.LOG_FULL ? maximumBytes / HYSTERESIS : 0);
        return kept > bound || onDisk > MOST_UNFREED * bound ? State.LOG_FULL : State.AVAILABLE;
    }

    private static String megabytes(long bytes) {
        return bytes == UNKNOWN ? "an unknown number of" : Long.toString(bytes >> MEBIBYTE_BITS);
    }
}
