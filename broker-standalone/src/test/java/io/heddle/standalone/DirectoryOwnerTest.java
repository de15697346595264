package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class DirectoryOwnerTest {
    private static final Path DIRECTORY = Path.of("/data");

    @TempDir
    Path own;

    @Test
    void rootIsToldThatADirectoryIsAnotherUsersAndWhatToDo() {
        assertThat(DirectoryOwner.refusal(DIRECTORY, 0, 65_534, "nobody"))
                .contains(
                        "/data belongs to user nobody",
                        "runs as root",
                        "chown it to root, run Heddle as nobody",
                        "--data-dir (heddle.standalone.data-dir)");
    }

    @Test
    void rootsOwnDirectoryAndWhatOthersMayWriteToIsFine() throws IOException {
        assertThat(DirectoryOwner.refusal(DIRECTORY, 0, 0, "root")).isNull();
        assertThat(DirectoryOwner.refusal(DIRECTORY, 1_000, 65_534, "nobody")).isNull();
        DirectoryOwner.require(own);
        DataDirectory.requireOwner(own);
        DataDirectory.requireOwner(own.resolve("not there yet"));
    }
}
