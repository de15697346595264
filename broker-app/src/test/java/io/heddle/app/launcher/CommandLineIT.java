package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

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

    @Test
    void rulesOfMosquittoAreConvertedCompletelyOrNotAtAll(@TempDir Path directory) throws Exception {
        Path file = directory.resolve("acl");

        Files.writeString(file, "user bob\r\ntopic read a b\r\npattern deny %c\r\n");
        Ended converted = Distribution.run("", "rules", "from-mosquitto", file.toString());
        Files.writeString(file, "topic a\npattern deny a%u\n");
        Ended refused = Distribution.run("", "rules", "from-mosquitto", file.toString());
        Files.write(file, new byte[] {'t', 'o', 'p', 'i', 'c', ' ', (byte) 0xFC});
        Ended notUtf8 = Distribution.run("", "rules", "from-mosquitto", file.toString());

        assertThat(converted.output()).endsWith("""
                        default deny
                        partial-subscriptions filter
                        deny all ${clientId} for everyone
                        allow subscribe "a b" for user bob
                        """);
        assertThat(converted.errors()).startsWith("line 3: does not deny").contains("Rules: 2. As in Mosquitto");
        assertThat(converted.status()).isZero();
        assertThat(refused.output()).isEmpty();
        assertThat(refused.errors())
                .startsWith("line 2: not converted: %c and %u must be a whole level")
                .contains("No rules were written. Lines that cannot be converted: 1");
        assertThat(refused.status()).isEqualTo(1);
        assertThat(notUtf8.onlySentence()).startsWith("No rules were written: ").contains("UTF-8");
        assertThat(Distribution.run("", "rules").errors()).contains("Say what to do: from-mosquitto");
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
