package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Answers to options that start no broker, and to invalid options. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class CommandLineIT {
    @Test
    void helpIsPrintedAndNothingIsStarted() throws Exception {
        for (String option : List.of("--help", "-h")) {
            Ended help = Distribution.run("", option);

            assertThat(help.status()).isZero();
            assertThat(help.output())
                    .contains("--mqtt-port", "--http-port", "--data-dir", "--bind", "--heddle.any.setting=value");
            assertThat(help.errors()).isEmpty();
        }
    }

    @Test
    void theVersionIsPrintedAlsoByTheJarAlone() throws Exception {
        Ended version = jar("--version");

        assertThat(version.status()).isZero();
        assertThat(version.output()).matches("Heddle \\d+\\.\\d+\\.\\d+\\S*\n");
        assertThat(version.errors()).isEmpty();
        assertThat(Distribution.run("", "--version").output()).isEqualTo(version.output());
        assertThat(Distribution.run("", "credentials", "--version").output()).isEqualTo(version.output());
    }

    @Test
    void theJarAloneReportsWhyItCannotStartWithoutWarningsOfTheJvm() throws Exception {
        Ended ended = jar(
                "--mqtt-port=0",
                "--http-port=0",
                "--heddle.mqtt.transport=epoll",
                "--heddle.redis.url=redis://127.0.0.1:1",
                "--heddle.postgres.url=jdbc:postgresql://127.0.0.1:1/heddle",
                "--heddle.postgres.connect-timeout=1s",
                "--heddle.kafka.bootstrap-servers=127.0.0.1:1",
                "--heddle.kafka.connect-timeout=1s");

        assertThat(ended.status()).isEqualTo(1);
        assertThat(ended.errors().lines()).singleElement().asString().startsWith("Heddle cannot start: PostgreSQL");
    }

    private static Ended jar(String... arguments) throws Exception {
        List<String> words = new ArrayList<>(List.of("-jar", "target/heddle.jar"));
        words.addAll(List.of(arguments));
        try (BrokerProcess process = BrokerProcess.start(
                Distribution.call(Path.of(System.getProperty("java.home"), "bin", "java"), words))) {
            return process.awaitEnd(Duration.ofMinutes(3));
        }
    }

    @Test
    void anUnknownOptionIsNamed() throws Exception {
        assertThat(Distribution.run("", "--mqtt-prot", "1883").onlySentence()).contains("--mqtt-prot", "--help");
        assertThat(Distribution.run("", "start").onlySentence()).contains("start", "--help");
    }

    @Test
    void anOptionOrSettingWithoutItsValueIsNamed() throws Exception {
        assertThat(Distribution.run("", "--data-dir").onlySentence()).contains("--data-dir", "needs a value");
        assertThat(Distribution.run("", "--heddle.mqtt.port").onlySentence()).contains("--heddle.mqtt.port=value");
    }
}
