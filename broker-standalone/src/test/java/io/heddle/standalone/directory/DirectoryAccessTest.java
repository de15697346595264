package io.heddle.standalone.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryAccessTest {
    @TempDir
    Path directory;

    @BeforeEach
    void openToOthers() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private String mode() throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(directory));
    }

    @Test
    void directoryIsClosedToOthers() throws IOException {
        assertThat(DataDirectory.closeToOthers(directory, false, Files::setPosixFilePermissions))
                .isNull();

        assertThat(mode()).isEqualTo("rwx------");
    }

    @Test
    void warningForADirectoryThatStaysOpenNamesOwnerAndMode() throws IOException {
        String warning = DataDirectory.closeToOthers(directory, false, (path, _) -> {
            throw new FileSystemException(path.toString(), null, "Operation not permitted");
        });

        assertThat(warning)
                .contains(
                        directory + " of user " + Files.getOwner(directory),
                        "(mode rwxr-xr-x)",
                        "this user may not change its mode (Operation not permitted): chmod 700 it",
                        "--data-dir");
    }

    @Test
    void directoryWithForeignFilesKeepsItsModeAndIsNamed() throws IOException {
        assertThat(DataDirectory.closeToOthers(directory, true, Files::setPosixFilePermissions))
                .contains("of user " + Files.getOwner(directory), "(mode rwxr-xr-x)", "files that are not Heddle's");

        assertThat(mode()).isEqualTo("rwxr-xr-x");
    }

    @Test
    void executePermissionAloneIsNotWarnedAbout() throws IOException {
        Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx--x--x"));

        assertThat(DataDirectory.closeToOthers(directory, true, Files::setPosixFilePermissions))
                .isNull();
    }
}
