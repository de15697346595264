package io.heddle.standalone.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RedisProgramsTest {
    @TempDir
    private Path directory;

    @Test
    void namedProgramsComeBeforeThoseOnThePath() throws IOException {
        Path named = program("named");
        Path valkey = program("valkey-server");
        Path redis = program("redis-server");

        assertThat(RedisPrograms.found(Map.of(
                        RedisPrograms.NAMED, named.toString(), "PATH", "/nowhere" + File.pathSeparator + directory)))
                .containsExactly(named, redis, valkey);
        assertThat(RedisPrograms.found(Map.of("PATH", "/nowhere"))).isEmpty();
        assertThat(RedisPrograms.found(Map.of())).isEmpty();
    }

    @Test
    void missingProgramIsReported() {
        assertThatThrownBy(() -> RedisPrograms.found(Map.of(RedisPrograms.NAMED, "/nowhere/redis-server")))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("/nowhere/redis-server");
    }

    private Path program(String name) throws IOException {
        return Files.createFile(
                directory.resolve(name),
                PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    }
}
