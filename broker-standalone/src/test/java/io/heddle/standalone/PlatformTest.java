package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.StandaloneException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PlatformTest {
    @Test
    void bothArchitecturesAreRecognisedByAllTheirNames() {
        assertThat(Platform.of("Linux", "amd64")).isEqualTo(Platform.LINUX_X86_64);
        assertThat(Platform.of("Linux", "x86_64")).isEqualTo(Platform.LINUX_X86_64);
        assertThat(Platform.of("Linux", "aarch64")).isEqualTo(Platform.LINUX_AARCH64);
    }

    @ParameterizedTest
    @CsvSource({"Mac OS X,aarch64", "Windows 11,amd64", "Linux,riscv64"})
    void otherPlatformsAreRejectedNamingTheOptionsForExternalServers(String system, String architecture) {
        assertThatThrownBy(() -> Platform.of(system, architecture))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll(
                        system,
                        architecture,
                        "--heddle.kafka.bootstrap-servers",
                        "--heddle.redis.url",
                        "--heddle.postgres.url",
                        "without the profile standalone");
    }
}
