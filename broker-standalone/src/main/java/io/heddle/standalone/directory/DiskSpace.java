package io.heddle.standalone.directory;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The free space of the disk of a data directory. Thread-safe. */
public final class DiskSpace {
    /** A server that starts with less would exit again. */
    public static final long RESTART_MINIMUM_BYTES = 64 << 20;

    private static final Logger LOG = LoggerFactory.getLogger(DiskSpace.class);
    private static final Duration POLL = Duration.ofSeconds(1);
    private static final Duration LOG_PAUSE = Duration.ofMinutes(1);

    private final Path directory;
    private final UsableBytes usableBytes;

    /** Reads the usable bytes of a folder's disk. */
    public interface UsableBytes {
        long of(Path folder) throws IOException;

        /** Asks the file system. */
        static UsableBytes real() {
            return folder -> Files.getFileStore(folder).getUsableSpace();
        }
    }

    /** Of the disk that holds the directory. */
    public DiskSpace(Path directory, UsableBytes usableBytes) {
        this.directory = directory;
        this.usableBytes = usableBytes;
    }

    /** Zero if the free space cannot be read. */
    long freeBytes() {
        try {
            return usableBytes.of(directory);
        } catch (IOException e) {
            return 0;
        }
    }

    /** Returns whether there is too little space to start a server. */
    public boolean isFull() {
        return freeBytes() < RESTART_MINIMUM_BYTES;
    }

    /** A wait that a stop ends early. */
    public interface Pause {
        void await(Duration pause) throws InterruptedException;
    }

    /**
     * Waits until there is space to start a server again, and logs a warning every minute.
     *
     * @param exit the server and how it exited, for the log
     * @param wanted whether the server is still to be started
     */
    public void await(String exit, BooleanSupplier wanted, Pause pause, LongSupplier nanoTime)
            throws InterruptedException {
        long nextLogNanos = nanoTime.getAsLong();
        while (wanted.getAsBoolean() && isFull()) {
            if (nanoTime.getAsLong() - nextLogNanos >= 0) {
                nextLogNanos += LOG_PAUSE.toNanos();
                LOG.warn(
                        "{}, and its disk is full: restarting it when {} MB are free: directory={}, freeMegabytes={}",
                        exit,
                        RESTART_MINIMUM_BYTES >> 20,
                        directory,
                        freeBytes() >> 20);
            }
            pause.await(POLL);
        }
    }
}
