package io.heddle.core.quota;

import io.heddle.core.HotPath;
import io.heddle.core.Limit;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The storage left for messages that must be stored: the limit of the bucket logs and the free space of the disk. While it is exhausted,
 * publishes that need it are refused. One thread measures; any thread may query.
 *
 * <p>States: available, disk low, log full. Hysteresis keeps the state from changing with every message.
 */
@HotPath
public final class StorageRoom {
    /** Free space of a disk that the node cannot measure. */
    public static final long UNKNOWN = Long.MAX_VALUE;

    private static final Logger log = LoggerFactory.getLogger(StorageRoom.class);
    private static final int MEBIBYTE_BITS = 20;
    private static final int HYSTERESIS = 8;
    /** Kafka frees deleted records with a delay; a log above this multiple of the limit is not being freed. */
    private static final int MOST_UNFREED = 2;

    /** The exhausted resource, if any. */
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
     * Creates the state {@link State#AVAILABLE} before the first measurement.
     *
     * @param maximumBytes of all bucket logs together
     * @param minimumFreeBytes of the disk
     * @param freeBytes of the disk, {@link #UNKNOWN} if the node cannot measure it; called by the measuring thread
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

    /** Returns unlimited storage, for tests and benchmarks. */
    public static StorageRoom unlimited(MeterRegistry metrics) {
        return new StorageRoom(Long.MAX_VALUE / MOST_UNFREED, 0, () -> UNKNOWN, metrics);
    }

    private static double known(long free) {
        return free == UNKNOWN ? Double.NaN : free;
    }

    /** Returns whether publishes that must be stored are refused. */
    public boolean isExhausted() {
        return exhausted;
    }

    /** Returns the limit that is exceeded while the storage is exhausted. */
    public Limit limit() {
        return state == State.DISK_LOW
                ? new Limit("heddle.standalone.minimum-free", minimumFreeBytes)
                : new Limit("heddle.buckets.maximum-bytes", maximumBytes);
    }

    public State state() {
        return state;
    }

    /** Returns the free space of the disk at the last measurement, or {@link #UNKNOWN}. */
    public long freeBytes() {
        return lastFreeBytes;
    }

    /** Returns the free space below which publishes are refused. */
    public long minimumFreeBytes() {
        return minimumFreeBytes;
    }

    /** Returns the size limit of all bucket logs together. */
    public long maximumBytes() {
        return maximumBytes;
    }

    /** Returns the size of all bucket logs together at the last measurement, without deleted records. */
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
     * Updates the state. Measuring thread only.
     *
     * @param kept bytes of all bucket logs together, without deleted records
     * @param onDisk the same, plus deleted records that Kafka has not freed yet
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
                log.info(
                        "Storage is available again; publishes are accepted (free disk space: {} MB)",
                        megabytes(lastFreeBytes));
            case DISK_LOW ->
                log.error(
                        "Disk of the data directory is low; publishes that must be stored are refused with 0x97 (free space:"
                                + " {} MB, heddle.standalone.minimum-free: {} MB); free disk space",
                        megabytes(lastFreeBytes),
                        megabytes(minimumFreeBytes));
            case LOG_FULL ->
                log.error(
                        "Bucket logs are full; publishes that must be stored are refused with 0x97 (size: {} MB,"
                                + " heddle.buckets.maximum-bytes: {} MB); their records are not yet applied to Redis or are"
                                + " protected by heddle.buckets.minimum-replay-window: check Redis or raise the limit",
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
