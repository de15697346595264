package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The first example of docs/security.md, as a person would type it, with Mosquitto's clients. */
@OwnProcesses(because = "the launcher is under test")
@Tag("ci")
@Timeout(value = 8, unit = TimeUnit.MINUTES)
final class TwoGroupsIT {
    private static final Pattern COMMANDS =
            Pattern.compile("<!-- TwoGroupsIT runs these commands. -->\n```sh\n(.*?)```", Pattern.DOTALL);
    private static final Duration ENDED_WITHIN = Duration.ofMinutes(3);

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @Test
    void eachGroupUsesItsOwnTopicsOnly() throws Exception {
        assumeThat(Files.exists(Path.of("/usr/bin/mosquitto_pub"))).isTrue();
        List<String> blocks = COMMANDS.matcher(Files.readString(Path.of("..", "docs", "security.md")))
                .results()
                .map((MatchResult found) -> found.group(1))
                .toList();
        assertThat(blocks).hasSize(3);
        int start = blocks.getFirst().indexOf("./heddle --");
        writeLauncher();
        Files.writeString(directory.resolve("password"), "");

        for (String line : blocks.getFirst().substring(0, start).lines().toList()) {
            assertSuccess(line);
        }
        String startCommand = blocks.getFirst().substring(start).replace("8883", "0");
        try (BrokerProcess broker = BrokerProcess.start(shell("exec " + startCommand))) {
            broker.awaitReady();
            Files.writeString(
                    directory.resolve("password"),
                    broker.administratorPassword().orElseThrow());
            for (String line : blocks.get(1).lines().toList()) {
                assertSuccess(line);
            }
            List<String> clients = blocks.get(2)
                    .replace("8883", Integer.toString(broker.port("mqtts")))
                    .lines()
                    .toList();
            assertThat(clients).hasSize(4);

            assertSuccess(clients.getFirst());
            assertThat(run(clients.get(1)).text()).containsIgnoringCase("not authorized");
            Ended denied = run(clients.get(2));
            assertThat(denied.text()).containsIgnoringCase("denied");
            assertThat(denied.output()).doesNotContain("running");
            assertThat(assertSuccess(clients.get(3)).output()).isEqualTo("running\n");
        } finally {
            ProcessTable.assertNothingRunsOn(directory);
        }
    }

    /** A person has one data directory and the default ports. */
    private void writeLauncher() throws IOException {
        Path launcher = directory.resolve("heddle");
        Files.writeString(launcher, """
                #!/bin/sh
                case "$1" in
                    tls) ;;
                    credentials) set -- "$@" --data-dir data ;;
                    admin) set -- "$@" --data-dir data --password-file password ;;
                    *) set -- "$@" --data-dir data --http-port 0 ;;
                esac
                exec '%s' "$@"
                """.formatted(Distribution.LAUNCHER));
        Files.setPosixFilePermissions(launcher, PosixFilePermissions.fromString("rwx------"));
    }

    private ProcessBuilder shell(String script) {
        return Distribution.call(Path.of("/bin/sh"), List.of("-euc", script)).directory(directory.toFile());
    }

    private Ended run(String script) throws Exception {
        try (BrokerProcess process = BrokerProcess.start(shell(script))) {
            return process.awaitEnd(ENDED_WITHIN);
        }
    }

    private Ended assertSuccess(String script) throws Exception {
        Ended ended = run(script);
        assertThat(ended.status()).as(script + "\n" + ended.text()).isZero();
        return ended;
    }
}
