package io.heddle.app.wiring;

import io.heddle.core.lifecycle.StartupException;
import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.Files;
import java.nio.file.Path;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The disk that the bundled servers write to. Thread-safe. */
final class DataDisk {
    private static final Logger log = LoggerFactory.getLogger(DataDisk.class);

    private final Path directory;
    private final FileStore disk;
    private final long totalBytes;

    private DataDisk(Path directory, FileStore disk, long totalBytes) {
        this.directory = directory;
        this.disk = disk;
        this.totalBytes = totalBytes;
    }

    /** The disk of a directory that exists. Throws StartupException when its size cannot be read. */
    static DataDisk of(Path directory) {
        try {
            FileStore disk = Files.getFileStore(directory);
            return new DataDisk(directory, disk, disk.getTotalSpace());
        } catch (IOException e) {
            throw new StartupException(
                    "The size of the disk of " + directory + " cannot be read (" + e.getMessage()
                            + "): name a directory on another disk with --data-dir (heddle.standalone.data-dir)",
                    e);
        }
    }

    long totalBytes() {
        return totalBytes;
    }

    /** None when that cannot be read. */
    long freeBytes() {
        try {
            return disk.getUsableSpace();
        } catch (IOException e) {
            log.debug("The free space of the disk of {} cannot be read", directory, e);
            return 0;
        }
    }
}
