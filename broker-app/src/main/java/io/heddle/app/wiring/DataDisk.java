package io.heddle.app.wiring;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disk of the data directory. Thread-safe. */
final class DataDisk {
    private static final Logger log = LoggerFactory.getLogger(DataDisk.class);
    private static final int MEBIBYTE_BITS = 20;

    private final Path directory;
    private final FileStore disk;
    private final long totalBytes;

    private DataDisk(Path directory, FileStore disk, long totalBytes) {
        this.directory = directory;
        this.disk = disk;
        this.totalBytes = totalBytes;
    }

    /** Returns the disk of an existing directory. Throws StartupException if its size cannot be read. */
    static DataDisk of(Path directory) {
        try {
            FileStore disk = Files.getFileStore(directory);
            return new DataDisk(directory, disk, disk.getTotalSpace());
        } catch (IOException e) {
            throw new StartupException(
                    "cannot read the size of the disk of " + directory + " (" + e.getMessage()
                            + "): choose a directory on another disk with --data-dir (heddle.standalone.data-dir)",
                    e);
        }
    }

    long totalBytes() {
        return totalBytes;
    }

    /** Returns a sentence for the operator if less space than the minimum is free, otherwise null. */
    @Nullable
    String shortage(long minimumFreeBytes) {
        long free = freeBytes();
        return free >= minimumFreeBytes
                ? null
                : "only " + (free >> MEBIBYTE_BITS) + " MB free, less than heddle.standalone.minimum-free ("
                        + (minimumFreeBytes >> MEBIBYTE_BITS)
                        + " MB): the broker refuses publishes that must be stored until there is more";
    }

    /** Returns 0 if the free space cannot be read. */
    long freeBytes() {
        try {
            return disk.getUsableSpace();
        } catch (IOException e) {
            log.debug("Cannot read the free space of the disk; directory={}", directory, e);
            return 0;
        }
    }
}
