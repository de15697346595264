package io.heddle.standalone.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;

class WriteErrorMessageTest {
    private static final long PLENTY = 1L << 30;
    private static final Path DATA = Path.of("/data");

    @Test
    void fullDiskOrQuotaIsNamedWithTheRemedy() {
        for (IOException cause : new IOException[] {
            new IOException("No space left on device"),
            new FileSystemException("/data/lock", null, "No space left on device"),
            new FileSystemException("/data/lock", null, "Disk quota exceeded")
        }) {
            assertThat(WriteErrorMessage.sentence("The data directory /data", DATA, cause, PLENTY))
                    .contains("The data directory /data", "the disk is full", "free some space", "--data-dir")
                    .doesNotContain("writable");
        }
    }

    @Test
    void fullDiskIsRecognisedInAnyLanguageByItsFreeSpace() {
        IOException cause = new IOException("Auf dem Gerät ist kein Speicherplatz mehr verfügbar");

        assertThat(WriteErrorMessage.sentence("It", DATA, cause, 4_096L)).contains("the disk is full");
        assertThat(WriteErrorMessage.sentence("It", DATA, cause, null)).contains("make it writable");
    }

    @Test
    void missingPermissionIsNotTakenForAFullDisk() {
        for (long usableBytes : new long[] {PLENTY, 0}) {
            assertThat(WriteErrorMessage.sentence("It", DATA, new AccessDeniedException("/data"), usableBytes))
                    .contains("cannot be written", "make it writable", "--data-dir (heddle.standalone.data-dir)")
                    .doesNotContain("full");
        }
    }

    @Test
    void freeSpaceOfAMissingPathIsReadFromItsParent() {
        Path missing = Path.of("/proc/no-such/thing");

        assertThat(WriteErrorMessage.sentence("It", missing, new IOException("no")))
                .contains("cannot be written (", "make it writable");
    }

    @Test
    void reasonHasNoNamesOfExceptions() {
        assertThat(WriteErrorMessage.reason(new AccessDeniedException("/data"), DATA))
                .isEqualTo("permission denied");
        assertThat(WriteErrorMessage.reason(new NotDirectoryException("/data/log"), DATA))
                .isEqualTo("not a directory: /data/log");
        assertThat(WriteErrorMessage.reason(new FileAlreadyExistsException("/data/log"), DATA))
                .isEqualTo("another file has that name: /data/log");
        assertThat(WriteErrorMessage.reason(new FileSystemException("/data", null, "Read-only file system"), DATA))
                .isEqualTo("Read-only file system");
        assertThat(WriteErrorMessage.reason(new IOException(), DATA)).isEqualTo("I/O error");
    }

    @Test
    void folderOfTheSystemIsNotToBeMadeWritable() {
        Path path = Path.of("/proc/no-such-thing");

        assertThat(WriteErrorMessage.sentence(
                        "The data directory " + path, path, new NoSuchFileException(path.toString())))
                .contains("/proc/no-such-thing cannot be created because /proc belongs to the system", "--data-dir")
                .doesNotContain("writable", "Exception");
    }
}
