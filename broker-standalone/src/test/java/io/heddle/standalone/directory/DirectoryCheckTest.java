package io.heddle.standalone.directory;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryCheckTest {
    private static final Path DIRECTORY = Path.of("/data");

    @TempDir
    Path own;

    @Test
    void rejectionForRootNamesTheOwnerAndTheRemedies() {
        assertThat(DirectoryCheck.ownerRejection(DIRECTORY, 0, 65_534, "nobody"))
                .contains(
                        "/data belongs to user nobody",
                        "runs as root",
                        "chown the directory to root, run Heddle as nobody",
                        "--data-dir (heddle.standalone.data-dir)");
    }

    @Test
    void ownDirectoryOfRootAndDirectoriesOfOtherUsersAreAccepted() throws IOException {
        assertThat(DirectoryCheck.ownerRejection(DIRECTORY, 0, 0, "root")).isNull();
        assertThat(DirectoryCheck.ownerRejection(DIRECTORY, 1_000, 65_534, "nobody"))
                .isNull();
        DataDirectory.requireUsable(own);
        DataDirectory.requireUsable(own.resolve("new"));
    }
}
