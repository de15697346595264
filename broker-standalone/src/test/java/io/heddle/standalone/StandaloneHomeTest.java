package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StandaloneHomeTest {
    @TempDir
    Path directory;

    @Test
    void unknownHomeIsRejectedNamingPropertyAndVariable() {
        assertThatThrownBy(() -> StandaloneHome.locate(null, " "))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        "heddle.standalone.home", "HEDDLE_STANDALONE_HOME", "--heddle.kafka.bootstrap-servers");
    }

    @Test
    void incompleteHomeIsRejectedNamingTheMissingFile() {
        assertThatThrownBy(() -> StandaloneHome.locate(directory.toString(), null))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        directory.toString(), "servers.properties is missing", "heddle.standalone.home");
    }

    @Test
    void homeWithoutTheKafkaChildIsRejected() throws IOException {
        Files.createFile(directory.resolve("servers.properties"));

        assertThatThrownBy(() -> StandaloneHome.at(directory))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining("kafka/heddle-kafka-child.jar is missing");
    }

    @Test
    void homeWithoutABinaryForThePlatformIsRejected() throws IOException {
        Files.writeString(directory.resolve("servers.properties"), "redis.linux-x86_64=redis/of-another-build\n");
        Files.createFile(Files.createDirectory(directory.resolve("kafka")).resolve("heddle-kafka-child.jar"));
        StandaloneHome home = StandaloneHome.at(directory);

        assertThatThrownBy(() -> home.redis(Platform.LINUX_X86_64))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining("redis/of-another-build is missing");
    }

    @Test
    void kafkaUsesAStartCacheIfThereIsOne() throws IOException {
        Files.createFile(directory.resolve("servers.properties"));
        Files.createFile(Files.createDirectory(directory.resolve("kafka")).resolve("heddle-kafka-child.jar"));
        StandaloneHome home = StandaloneHome.at(directory);
        assertThat(home.kafkaStartCacheOptions()).containsExactly("-XX:+UseSerialGC");

        Path cache = Files.createFile(directory.resolve("kafka.aot"));

        assertThat(home.kafkaStartCacheOptions())
                .containsExactly("-XX:+UseSerialGC", "-XX:AOTCache=" + cache, "-Xlog:aot*=off");
    }

    @Test
    void theClassPathOfKafkaHasTheOrderOfTheNames() throws IOException {
        Files.createFile(directory.resolve("servers.properties"));
        Path kafka = Files.createDirectory(directory.resolve("kafka"));
        for (String name : List.of("scala.jar", "heddle-kafka-child.jar", "notes.txt", "raft.jar")) {
            Files.createFile(kafka.resolve(name));
        }

        assertThat(StandaloneHome.at(directory).kafkaClassPath().split(":"))
                .containsExactly(
                        kafka.resolve("heddle-kafka-child.jar").toString(),
                        kafka.resolve("raft.jar").toString(),
                        kafka.resolve("scala.jar").toString());
    }

    @Test
    void builtHomeHasTheServersOfBothPlatforms() {
        StandaloneHome home = StandaloneHome.locate();

        for (Platform platform : Platform.values()) {
            assertThat(home.redis(platform)).isRegularFile();
            assertThat(home.postgresql(platform)).isRegularFile();
        }
        assertThat(home.directory().resolve("kafka"))
                .isDirectoryNotContaining("glob:**/log4j-core*")
                .isDirectoryContaining("glob:**/slf4j-simple*");
    }
}
