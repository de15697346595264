package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The programs are scripts that only print a version. */
class RedisChoiceTest {
    private static final RedisVersion BUNDLED = new RedisVersion(RedisVersion.Product.REDIS, 6, 2, 11);

    @TempDir
    Path data;

    @TempDir
    Path programs;

    private Path program(String name, String answer) throws IOException {
        Path program = Files.writeString(programs.resolve(name), "#!/bin/sh\necho '" + answer + "'\n");
        return Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwx------"));
    }

    private RedisChoice choice(String wanted) {
        return new RedisChoice(data, BUNDLED, wanted, "/nowhere:" + programs);
    }

    @Test
    void bundledServerIsTheDefault() throws Exception {
        assertThat(choice("auto").choose()).isEqualTo(new RedisChoice.Candidate(BUNDLED, null));
    }

    @Test
    void newestServerOnThePathRunsUnlessTheBundledOneIsSet() throws Exception {
        program("redis-server", "Redis server v=7.0.15 sha=0 bits=64");
        Path valkey = program("valkey-server", "Valkey server v=8.1.1 sha=0 bits=64");

        assertThat(choice("auto").choose().program()).isEqualTo(valkey);
        assertThat(choice("bundled").choose().program()).isNull();
    }

    @Test
    void olderServersAndOtherProgramsOnThePathAreIgnored() throws Exception {
        program("redis-server", "Redis server v=6.0.16 sha=0 bits=64");
        program("valkey-server", "something else");

        assertThat(choice("auto").choose().program()).isNull();
    }

    @Test
    void namedServerRunsWhateverItsVersion() throws Exception {
        Path named = program("mine", "Redis server v=6.0.16 sha=0 bits=64");

        assertThat(choice(named.toString()).choose().program()).isEqualTo(named);
        assertThatThrownBy(() -> choice(programs.resolve("missing").toString()).choose())
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("heddle.standalone.redis is", "missing", "auto or bundled");
    }

    @Test
    void dataOfANewerServerIsNotReadByAnOlderOne() throws Exception {
        Path redis = program("redis-server", "Redis server v=7.0.15 sha=0 bits=64");
        RedisChoice first = choice("auto");
        first.store(first.choose().version());

        assertThat(choice("auto").choose().program()).isEqualTo(redis);
        assertThatThrownBy(() -> choice("bundled").choose())
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        data.resolve("redis") + " was written by Redis 7.0.15",
                        "Redis 6.2.11 (bundled) cannot read",
                        "install Redis 7.0.15");
        Files.delete(redis);
        assertThatThrownBy(() -> choice("auto").choose()).hasMessageContaining("was written by Redis 7.0.15");
    }

    @Test
    void serverThatCanReadTheDataRunsInsteadOfANewerOneThatCannot() throws Exception {
        choice("auto").store(new RedisVersion(RedisVersion.Product.REDIS, 7, 4, 1));
        Path redis = program("redis-server", "Redis server v=7.4.2 sha=0 bits=64");
        program("valkey-server", "Valkey server v=8.1.1 sha=0 bits=64");

        assertThat(choice("auto").choose().program()).isEqualTo(redis);
    }

    @Test
    void damagedVersionIsNamedWithTheRemedy() throws Exception {
        Files.writeString(Files.createDirectories(data.resolve("redis")).resolve("version"), "?");

        assertThatThrownBy(() -> choice("auto").choose())
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("redis/version", "damaged", "Redis 6.2.11");
    }
}
