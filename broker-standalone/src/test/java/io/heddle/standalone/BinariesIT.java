package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.DiskSpace;
import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.EnumSet;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BinariesIT {
    @TempDir
    Path directory;

    @Test
    void binariesAreUnpackedOnceAndInterruptedUnpackingIsRepeated() throws Exception {
        Binaries binaries = new Binaries(
                StandaloneHome.locate(), Platform.current(), directory, null, DiskSpace.UsableBytes.real());
        Path folder = Objects.requireNonNull(binaries.redisServer().getParent());
        Path unfinished = Files.createDirectory(folder.resolveSibling(folder.getFileName() + ".unfinished"));
        Files.writeString(unfinished.resolve("redis-server"), "half of it");

        binaries.unpack(EnumSet.of(Server.REDIS));
        assertThat(binaries.redisServer()).isExecutable();
        assertThat(unfinished).doesNotExist();

        FileTime longAgo = FileTime.from(Instant.EPOCH);
        Files.setLastModifiedTime(binaries.redisServer(), longAgo);
        binaries.unpack(EnumSet.of(Server.REDIS));
        assertThat(Files.getLastModifiedTime(binaries.redisServer())).isEqualTo(longAgo);
    }

    @Test
    void fullDiskIsReportedBeforeUnpacking() {
        Binaries binaries =
                new Binaries(StandaloneHome.locate(), Platform.current(), directory, null, folder -> 30L << 20);

        assertThatThrownBy(() -> binaries.unpack(EnumSet.of(Server.REDIS)))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("only 30 MB free", "need 200 MB", "--data-dir (heddle.standalone.data-dir)");
        assertThat(directory).isEmptyDirectory();
    }

    @Test
    void fullDiskIsReportedAtALaterStart() throws Exception {
        new Binaries(StandaloneHome.locate(), Platform.current(), directory, null, DiskSpace.UsableBytes.real())
                .unpack(EnumSet.of(Server.REDIS));
        Binaries later = new Binaries(StandaloneHome.locate(), Platform.current(), directory, null, folder -> 3L << 20);

        assertThatThrownBy(() -> later.unpack(EnumSet.of(Server.REDIS)))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("only 3 MB free", "need 32 MB to start", "--data-dir");
    }

    @Test
    void missingOpenSslIsReportedWithItsPackages() throws IOException {
        Path program = program(
                "echo 'redis-server: error while loading shared libraries: libssl.so.3: cannot open' >&2; exit 127");
        assertThatThrownBy(() -> Binaries.requireRunnable(Server.REDIS, program, null))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("Redis needs", "libssl3 (Debian, Ubuntu)", "openssl-libs (Fedora, RHEL)");
    }

    @Test
    void incompatibleProgramIsReportedWithTheOptionsForExternalServers() throws IOException {
        Path program = program("echo 'Exec format error'; exit 126");
        assertThatThrownBy(() -> Binaries.requireRunnable(Server.POSTGRESQL, program, directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        "PostgreSQL", "Exec format error", "delete " + directory, "--heddle.postgres.url");
    }

    @Test
    void nonExecutableProgramIsReportedWithTheDataDirectoryOption() throws IOException {
        Path program = Files.createFile(directory.resolve("not-executable"));
        assertThatThrownBy(() -> Binaries.requireRunnable(Server.REDIS, program, null))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("noexec", "--data-dir");
    }

    @Test
    void programWithoutOutputIsDamaged() throws IOException {
        Path program = program("");
        assertThatThrownBy(() -> Binaries.requireRunnable(Server.POSTGRESQL, program, directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("no output", "delete " + directory + " in case it is damaged");
    }

    @Test
    void redisServerOfTheWrongSizeIsUnpackedAgain() throws Exception {
        Binaries binaries = new Binaries(
                StandaloneHome.locate(), Platform.current(), directory, null, DiskSpace.UsableBytes.real());
        binaries.unpack(EnumSet.of(Server.REDIS));
        long size = Files.size(binaries.redisServer());
        Files.write(binaries.redisServer(), new byte[0]);

        binaries.unpack(EnumSet.of(Server.REDIS));

        assertThat(binaries.redisServer()).hasSize(size).isExecutable();
    }

    private Path program(String script) throws IOException {
        Path program = directory.resolve("program");
        Files.writeString(program, "#!/bin/sh\n" + script + "\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }
}
