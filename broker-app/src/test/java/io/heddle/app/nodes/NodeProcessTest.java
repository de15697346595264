package io.heddle.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class NodeProcessTest {
    private static final Duration SOON = Duration.ofSeconds(60);
    private static final String WAITS = "echo 'Heddle is ready'; exec sleep 600";

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path runs;

    private final Lines lines = new Lines();
    private final List<NodeProcess> started = new ArrayList<>();

    private static final class Lines implements NodeProcess.Terminal {
        final List<String> output = new CopyOnWriteArrayList<>();
        final List<String> errors = new CopyOnWriteArrayList<>();

        @Override
        public void print(String line) {
            output.add(line);
        }

        @Override
        public void printError(String line) {
            errors.add(line);
        }
    }

    @AfterEach
    void stop() {
        started.forEach(NodeProcess::requestStop);
        started.forEach(NodeProcess::awaitEnd);
    }

    private NodeProcess node(String script) {
        NodeProcess node = new NodeProcess("node-7", List.of("sh", "-c", script), runs, lines, Duration.ofMillis(1));
        started.add(node);
        node.start();
        return node;
    }

    @Test
    void theLinesOfANodeHaveItsNameAndItsAddressesAreRead() throws Exception {
        NodeProcess node =
                node("echo '  mqtt: tcp://[::1]:1885'; echo careful >&2; echo 'Heddle is ready'; exec sleep 600");

        node.awaitUp();

        assertThat(node.announced("mqtt")).isEqualTo("tcp://[::1]:1885");
        assertThat(node.announced("http")).isNull();
        assertThat(lines.output).containsExactly("node-7 |   mqtt: tcp://[::1]:1885", "node-7 | Heddle is ready");
        await().atMost(SOON).until(() -> lines.errors.equals(List.of("node-7 | careful")));
    }

    @Test
    void aFirstStartThatFailsNamesTheNodesOwnReason() {
        NodeProcess node = node("echo 'Heddle cannot start: the port 1883 is in use' >&2; exit 1");

        assertThatThrownBy(node::awaitUp)
                .isInstanceOf(StartupException.class)
                .hasMessage("node-7 did not start: the port 1883 is in use");
        await().atMost(SOON).until(() -> !node.isSupervised());
        assertThat(lines.errors).isEmpty();
        assertThat(lines.output).isEmpty();
    }

    @Test
    void aKilledNodeIsStartedAgain() throws Exception {
        NodeProcess node = node(WAITS);
        node.awaitUp();
        long first = node.pid();

        ProcessHandle.of(first).orElseThrow().destroyForcibly();

        await().atMost(SOON).until(() -> node.pid() != first);
        await().atMost(SOON)
                .untilAsserted(() -> assertThat(lines.output)
                        .contains(
                                "node-7 (process " + first + ") was ended by signal 9; it is started again in 0 s",
                                "node-7 is process " + node.pid()));
    }

    @Test
    void aNodeIsStartedAgainUntilWhatItsStartNeedsIsBack() throws Exception {
        Path away = runs.resolve("away");
        NodeProcess node = node(
                "test -e " + away + " && { echo 'Heddle cannot start: Kafka does not answer' >&2; exit 1; }; " + WAITS);
        node.awaitUp();
        Files.createFile(away);

        ProcessHandle.of(node.pid()).orElseThrow().destroyForcibly();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(lines.output)
                        .filteredOn(
                                line -> line.contains("did not start: Kafka does not answer; it is started again in"))
                        .hasSizeGreaterThanOrEqualTo(6));
        Files.delete(away);
        await().atMost(SOON).untilAsserted(() -> assertThat(lines.output).last().isEqualTo("node-7 | Heddle is ready"));
    }

    @Test
    void aNodeIsStartedAgainAfterItsProcessCouldNotBeRecorded() throws Exception {
        Path records = Files.createDirectory(runs.resolve("records"));
        NodeProcess node = new NodeProcess("node-7", List.of("sh", "-c", WAITS), records, lines, Duration.ofMillis(1));
        started.add(node);
        node.start();
        node.awaitUp();
        Files.delete(records.resolve("node-7.process"));
        Files.delete(records);
        Files.createFile(records);

        ProcessHandle.of(node.pid()).orElseThrow().destroyForcibly();

        await().atMost(SOON)
                .untilAsserted(() -> assertThat(lines.output)
                        .filteredOn(line -> line.startsWith("node-7 cannot be started ("))
                        .hasSizeGreaterThanOrEqualTo(2));
        Files.delete(records);
        Files.createDirectory(records);
        await().atMost(SOON).untilAsserted(() -> assertThat(lines.output).last().isEqualTo("node-7 | Heddle is ready"));
    }

    @Test
    void aStoppedNodeIsNotStartedAgain() throws Exception {
        NodeProcess node =
                node("trap 'echo stopped; exit 143' TERM; echo 'Heddle is ready'; while :; do sleep 0.02; done");
        node.awaitUp();
        long pid = node.pid();

        node.requestStop();
        node.awaitEnd();

        await().atMost(SOON).until(() -> !node.isSupervised());
        assertThat(node.pid()).isEqualTo(pid);
        assertThat(lines.output).last().isEqualTo("node-7 | stopped");
    }

    @Test
    void theProcessIsRecordedForTheNextStart() throws IOException {
        NodeProcess node = node(WAITS);

        ProcessIdentity identity = Objects.requireNonNull(ProcessIdentity.of(node.pid()));
        assertThat(runs.resolve("node-7.process")).content().contains("child=" + identity);
    }
}
