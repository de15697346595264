package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The free space of the disk of a data directory. Thread-safe. */
final class DiskRoom {
    /** With less, a server that starts would die again. */
    static final long FOR_RESTART_BYTES = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DiskRoom.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration LOG_PAUSE = Duration.ofMinutes(1);

    private final Path directory;
    private final UsableBytes usableBytes;

    /** The usable bytes of a folder's disk. */
    interface UsableBytes {
        long of(Path folder) throws IOException;

        /** As the file system says. */
        static UsableBytes real() {
            return folder -> Files.getFileStore(folder).getUsableSpace();
        }
    }

    DiskRoom(Path directory, UsableBytes usableBytes) {
        this.directory = directory;
        this.usableBytes = usableBytes;
    }

    /** None when that cannot be read. */
    long freeBytes() {
        try {
            return usableBytes.of(directory);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Whether a server could not be started. */
    boolean isFull() {
        return freeBytes() < FOR_RESTART_BYTES;
    }

    /** A wait that a stop cuts short. */
    interface Pause {
        void last(Duration pause) throws InterruptedException;
    }

    /**
     * Waits until a server can be started again, and says so in the log every minute.
     *
     * @param death what happened to the server, for a person
     * @param wanted whether it is still to be started
     */
    void await(String death, BooleanSupplier wanted, Pause pause, LongSupplier nanoTime) throws InterruptedException {
        long nextLogNanos = nanoTime.getAsLong();
        while (wanted.getAsBoolean() && isFull()) {
            if (nanoTime.getAsLong() - nextLogNanos >= 0) {
                nextLogNanos += LOG_PAUSE.toNanos();
                LOG.warn(
                        "{}, and the disk of {} has only {} MB free: starting it again when {} MB are free",
                        death,
                        directory,
                        freeBytes() >> 20,
                        FOR_RESTART_BYTES >> 20);
            }
            pause.last(POLL);
        }
    }
}
