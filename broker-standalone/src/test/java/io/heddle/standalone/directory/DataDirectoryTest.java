package io.heddle.standalone.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.SecureRandom;
import java.util.List;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DataDirectoryTest {
    @TempDir
    Path directory;

    @Test
    void isCreatedForTheOwnerAlone() throws IOException {
        Path path = directory.resolve("new/data");
        try (DataDirectory data = DataDirectory.open(path)) {
            assertThat(data.path()).isEqualTo(path.toRealPath());
            assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
                    .isEqualTo("rwx------");
        }
    }

    @Test
    void foreignDirectoryIsRejectedNamingItsContentsAndTheSetting() throws IOException {
        Path path = Files.createDirectory(directory.resolve("photos"));
        for (String name : List.of("1.jpg", "2.jpg", "3.jpg", "4.jpg", "log")) {
            Files.createFile(path.resolve(name));
        }

        assertThatThrownBy(() -> DataDirectory.open(path))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        path.toString(),
                        "1.jpg, 2.jpg, 3.jpg and more",
                        "not a data directory of Heddle",
                        "--data-dir (heddle.standalone.data-dir)");
        assertThat(path.resolve("lock")).doesNotExist();
    }

    @ParameterizedTest
    @ValueSource(strings = {"/", "/usr", "/proc/self"})
    void directoryOfTheSystemIsRejected(String path) {
        assertThatThrownBy(() -> DataDirectory.open(Path.of(path)))
                .hasMessageContaining("not a data directory of Heddle");
    }

    @Test
    void commonNamesDoNotIdentifyADataDirectory() throws IOException {
        Files.createDirectory(directory.resolve("bin"));
        Files.writeString(directory.resolve("secrets.properties"), "api.key=1\n");

        assertThatThrownBy(() -> DataDirectory.open(directory))
                .hasMessageContainingAll("bin, secrets.properties", "not a data directory of Heddle");
    }

    @Test
    void directoryWithSecretsIsAcceptedWithForeignFiles() throws IOException {
        Secrets.loadOrGenerate(directory.resolve("secrets.properties"), new SecureRandom());
        Files.createDirectory(directory.resolve("kafka"));
        Files.createFile(directory.resolve("notes.txt"));

        DataDirectory.open(directory).close();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "log", "lost+found"})
    void directoryOfAnInterruptedFirstStartAndRootOfAFileSystemAreAccepted(String left) throws IOException {
        Files.createFile(directory.resolve(left));
        Path lock = directory.resolve("lock");

        DataDirectory.open(directory).close();

        assertThat(lock).exists();
    }

    @Test
    void theFormatIsStoredAndAnotherOneIsRefused() throws IOException {
        Path path = directory.resolve("data");
        DataDirectory.open(path).close();
        Path format = path.resolve("format");
        assertThat(format).hasContent("1\n");
        DataDirectory.open(path).close();
        Files.writeString(format, "2\n");

        for (ThrowingCallable use : List.<ThrowingCallable>of(
                () -> DataDirectory.open(path).close(),
                () -> DataDirectory.requireUsable(path),
                () -> DataDirectory.hasDatabase(path))) {
            assertThatThrownBy(use)
                    .isInstanceOf(StandaloneException.class)
                    .hasMessageContainingAll(
                            path.toString(),
                            "has format 2, and this build of Heddle reads only format 1",
                            "back up with the build that wrote it");
        }
        assertThat(format).hasContent("2\n");
    }

    @Test
    void aDamagedFormatIsNamed() throws IOException {
        DataDirectory.open(directory).close();
        Path format = Files.writeString(directory.resolve("format"), "");

        assertThatThrownBy(() -> DataDirectory.open(directory).close())
                .hasMessageContainingAll(format.toString(), "damaged", "write 1 into it");
    }

    @ParameterizedTest
    @ValueSource(strings = {"a \" b", "a $HOME", "a `b`", "a \\ b", "a \n b", "a \t b"})
    void nameThatPostgresCannotHandleIsRejectedBeforeTheDirectoryIsCreated(String name) {
        Path path = directory.resolve(name);

        assertThatThrownBy(() -> DataDirectory.open(path))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("in its name", "--data-dir (heddle.standalone.data-dir)")
                .hasMessageNotContainingAny("\n", "\t");
        assertThat(path).doesNotExist();
    }

    @Test
    void linkToANameThatPostgresCannotHandleIsRejected() throws IOException {
        Path target = Files.createDirectory(directory.resolve("a \" b"));
        Path link = Files.createSymbolicLink(directory.resolve("link"), target);

        assertThatThrownBy(() -> DataDirectory.open(link))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining("the character \"");
    }

    @Test
    void secondOpenIsRejectedNamingTheHolderUntilTheFirstCloses() {
        try (DataDirectory first = DataDirectory.open(directory)) {
            assertThatThrownBy(() -> DataDirectory.open(first.path()))
                    .isInstanceOf(StandaloneException.class)
                    .hasMessageContainingAll(
                            first.path().toString(),
                            "pid " + ProcessHandle.current().pid(),
                            "--data-dir");
        }
        DataDirectory.open(directory).close();
    }

    @Test
    void fileAtThePathOrAboveItIsRejected() throws IOException {
        Path file = Files.createFile(directory.resolve("file"));

        assertThatThrownBy(() -> DataDirectory.open(file))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        "The data directory " + file + " is a file: name a directory",
                        "--data-dir (heddle.standalone.data-dir)");
        assertThatThrownBy(() -> DataDirectory.open(file.resolve("data")))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        file.resolve("data") + " cannot be created because " + file + " is a file",
                        "--data-dir (heddle.standalone.data-dir)");
        assertThatThrownBy(() -> DataDirectory.open(Path.of("/dev/null")))
                .hasMessageContaining("/dev/null is not a directory");
    }

    @Test
    void danglingLinkAtThePathOrAboveItIsRejectedNamingItsTarget() throws IOException {
        Path link = Files.createSymbolicLink(directory.resolve("link"), directory.resolve("gone"));

        assertThatThrownBy(() -> DataDirectory.open(link))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        "The data directory " + link + " is a symbolic link to " + directory.resolve("gone"),
                        "which does not exist: create that directory, remove the link",
                        "--data-dir (heddle.standalone.data-dir)");
        assertThatThrownBy(() -> DataDirectory.open(link.resolve("data")))
                .hasMessageContaining("cannot be created because " + link + " is a symbolic link to");
        assertThat(directory.resolve("gone")).doesNotExist();
    }

    @Test
    void folderOfTheSystemIsRejectedWithoutNamesOfExceptions() {
        assertThatThrownBy(() -> DataDirectory.open(Path.of("/proc/no-such-thing/data")))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("/proc belongs to the system and takes no new files", "--data-dir")
                .hasMessageNotContaining("Exception");
    }

    @Test
    void databaseExistsOnlyWhenItIsComplete() throws IOException {
        assertThat(DataDirectory.hasDatabase(directory.resolve("nowhere"))).isFalse();
        assertThat(DataDirectory.hasDatabase(directory)).isFalse();
        assertThat(directory).isEmptyDirectory();

        Secrets.loadOrGenerate(directory.resolve("secrets.properties"), new SecureRandom());
        Files.createDirectories(directory.resolve("postgresql/data.unfinished"));
        assertThat(DataDirectory.hasDatabase(directory)).isFalse();
        Files.createDirectory(directory.resolve("postgresql/data"));
        assertThat(DataDirectory.hasDatabase(directory)).isTrue();
    }

    @Test
    void databaseIsNotLookedForInAForeignDirectory() throws IOException {
        Files.createFile(directory.resolve("holiday.jpg"));

        assertThatThrownBy(() -> DataDirectory.hasDatabase(directory))
                .hasMessageContaining("not a data directory of Heddle");
    }

    @Test
    void directoryThatCannotBeLockedIsRejectedNamingTheSetting() throws IOException {
        // Not even root may open it for writing.
        Files.createDirectory(directory.resolve("lock"));

        assertThatThrownBy(() -> DataDirectory.open(directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("cannot be written", "--data-dir", "heddle.standalone.data-dir");
    }

    @Test
    void fullDiskIsReported() throws IOException {
        Files.createSymbolicLink(directory.resolve("lock"), Path.of("/dev/full"));

        assertThatThrownBy(() -> DataDirectory.open(directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(directory.toRealPath().toString(), "the disk is full", "free some space");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "",
                "redis.password=1",
                "kafka.cluster-id=1",
                "postgresql.password=1",
                "postgresql.password=\nkafka.cluster-id=1",
                "kafka.cluster-id=\\u00zz"
            })
    void dataWithIncompleteSecretsIsRejectedAndUnchanged(String left) throws IOException {
        Files.createFile(directory.resolve("lock"));
        Files.createDirectories(directory.resolve("postgresql/data"));
        Path secrets = Files.writeString(directory.resolve("secrets.properties"), left);

        for (ThrowingCallable start : List.<ThrowingCallable>of(
                () -> DataDirectory.open(directory), () -> DataDirectory.hasDatabase(directory))) {
            assertThatThrownBy(start)
                    .isInstanceOf(StandaloneException.class)
                    .hasMessageContainingAll(
                            "but " + secrets, "restore that file", "--data-dir (heddle.standalone.data-dir)");
        }
        assertThat(secrets).hasContent(left);
        assertThat(directory.resolve("lock")).isEmptyFile();
    }

    @ParameterizedTest
    @ValueSource(strings = {"lock", "log"})
    void dataWithoutASecretsFileIsRejected(String left) throws IOException {
        Files.createFile(directory.resolve(left));
        Files.createDirectories(directory.resolve("kafka/0"));

        assertThatThrownBy(() -> DataDirectory.open(directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        "secrets.properties, which is required to use that data, is missing", "restore");
        assertThat(directory.resolve("secrets.properties")).doesNotExist();
    }

    @Test
    void emptyFoldersOfServersNeedNoSecrets() throws IOException {
        Files.createFile(directory.resolve("lock"));
        Files.createDirectory(directory.resolve("kafka"));

        DataDirectory.open(directory).close();
    }
}
