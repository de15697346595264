package io.heddle.app.packaging;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The unit of systemd. What systemd-analyze says is skipped with a message where the program is missing. */
final class ServiceUnitTest {
    private static final Path UNIT = Path.of("..", "packaging", "systemd", "heddle.service");
    private static final Pattern EXPOSURE = Pattern.compile("Overall exposure level for \\S+: (\\d+\\.\\d+)");
    private static final Pattern VARIABLE = Pattern.compile("(?m)^(?:Environment=|#)(HEDDLE_\\w+)=");
    private static final double MAXIMUM_EXPOSURE = 2.0;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    /** Runs systemd-analyze on the unit, whose program is not installed here. */
    private String analyze(String... arguments) throws IOException, InterruptedException {
        boolean installed = Stream.of(System.getenv().getOrDefault("PATH", "").split(File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, "systemd-analyze")));
        assumeThat(installed).as("systemd-analyze is on the PATH").isTrue();
        Path unit = directory.resolve("heddle.service");
        Files.writeString(
                unit, Files.readString(UNIT).replace("ExecStart=/opt/heddle/heddle", "ExecStart=/usr/bin/true"));
        List<String> command = Stream.of(Stream.of("systemd-analyze"), Stream.of(arguments), Stream.of(unit.toString()))
                .flatMap(words -> words)
                .toList();
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor(1, TimeUnit.MINUTES)).isTrue();
        assertThat(process.exitValue()).as(output).isZero();
        return output;
    }

    @Test
    void systemdReadsTheUnitWithoutWarnings() throws Exception {
        assertThat(analyze("verify")).doesNotContain("heddle.service:");
    }

    @Test
    void theServiceIsHardened() throws Exception {
        Matcher exposure = EXPOSURE.matcher(analyze("security", "--offline=yes", "--no-pager"));

        assertThat(exposure.find()).isTrue();
        assertThat(Double.parseDouble(exposure.group(1))).isLessThanOrEqualTo(MAXIMUM_EXPOSURE);
    }

    @Test
    void theServersOfTheBrokerStopAfterItsDrain() throws IOException {
        assertThat(Files.readString(UNIT))
                .contains("\nKillMode=mixed\n", "\nTimeoutStopSec=315\n", "\nSuccessExitStatus=143\n")
                .contains("\nRestart=on-failure\n")
                .doesNotContain("\nMemoryDenyWriteExecute=");
    }

    /** A machine that starts before those of Kafka and PostgreSQL must not need a person. */
    @Test
    void systemdStartsTheBrokerUntilItsStoresAnswer() throws IOException {
        assertThat(Files.readString(UNIT))
                .contains("\nStartLimitIntervalSec=0\n")
                .doesNotContain("StartLimitBurst");
    }

    @Test
    void everySettingExists() throws IOException {
        DocumentedSettings settings = DocumentedSettings.read();
        String text = Files.readString(UNIT) + Files.readString(UNIT.resolveSibling("heddle.env"));

        assertThat(VARIABLE.matcher(text).results().map(variable -> variable.group(1)))
                .hasSizeGreaterThan(5)
                .allMatch(settings::contains);
    }
}
