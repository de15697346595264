package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class RedisVersionTest {
    @Test
    void versionIsParsedFromProgramOutputAndFileName() {
        assertThat(RedisVersion.ofProgram("Redis server v=7.0.15 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64 build=1"))
                .hasToString("Redis 7.0.15");
        assertThat(RedisVersion.ofProgram("Valkey server v=8.1.1 sha=00000000:0 malloc=jemalloc-5.3.0 bits=64"))
                .hasToString("Valkey 8.1.1");
        assertThat(RedisVersion.ofFile("redis-6.2.11-linux-x86_64")).hasToString("Redis 6.2.11");
        assertThat(RedisVersion.parse("Redis 6.2.11\n")).hasToString("Redis 6.2.11");
        assertThat(RedisVersion.ofProgram("KeyDB server v=6.3.4")).isNull();
        assertThat(RedisVersion.parse("six")).isNull();
    }

    @ParameterizedTest
    @CsvSource({
        "Redis 7.0.15, Redis 6.2.11, true",
        "Redis 6.2.11, Redis 7.0.15, false",
        "Redis 7.0.1, Redis 7.0.15, true",
        "Redis 7.2.4, Redis 7.4.0, false",
        "Valkey 8.1.1, Redis 6.2.11, true",
        "Valkey 8.1.1, Redis 7.2.4, true",
        "Valkey 8.1.1, Redis 7.4.0, false",
        "Valkey 8.1.1, Valkey 9.0.0, false",
        "Redis 7.0.15, Valkey 8.1.1, false",
        "Redis 7.2.4, Valkey 8.1.1, true",
        "Redis 8.0.0, Valkey 9.0.0, false",
    })
    void serverCanReadFilesOfTheSameOrAnEarlierVersion(String reader, String writer, boolean reads) {
        assertThat(version(reader).canRead(version(writer))).isEqualTo(reads);
    }

    @Test
    void versionsAreOrderedByNumber() {
        assertThat(version("Redis 7.0.15")).isGreaterThan(version("Redis 7.0.9"));
        assertThat(version("Valkey 8.1.0")).isGreaterThan(version("Redis 8.0.9"));
    }

    private static RedisVersion version(String text) {
        return Objects.requireNonNull(RedisVersion.parse(text));
    }
}
