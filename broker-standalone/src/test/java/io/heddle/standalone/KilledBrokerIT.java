package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.process.GuardedProcess;
import io.heddle.standalone.process.ProcessIdentity;
import java.io.BufferedReader;
import java.net.URI;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Kills the broker's JVM and checks its children. */
@Tag("ci")
class KilledBrokerIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    /** Guards kill what has not stopped in time; on a busy machine they need a while for it. */
    private static final Duration GONE = GuardedProcess.STOP_TIMEOUT.plusSeconds(14);

    @TempDir
    Path directory;

    private final List<ProcessIdentity> children = new ArrayList<>();
    private final List<ProcessIdentity> guards = new ArrayList<>();
    private Process broker;

    @BeforeEach
    void startBroker() throws Exception {
        broker = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-D" + StandaloneHome.PROPERTY + "="
                                + StandaloneHome.locate().directory(),
                        "-cp",
                        System.getProperty("java.class.path"),
                        BrokerStandIn.class.getName(),
                        directory.toString())
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
        BufferedReader output = broker.inputReader();
        assertThat(output.readLine()).isEqualTo(BrokerStandIn.READY);
        try (DirectoryStream<Path> records = Files.newDirectoryStream(directory.resolve("run"), "*.process")) {
            for (Path file : records) {
                Properties properties = PrivateFiles.read(file);
                children.add(Objects.requireNonNull(ProcessIdentity.parse(properties.getProperty("child"))));
                guards.add(Objects.requireNonNull(ProcessIdentity.parse(properties.getProperty("guard"))));
            }
        }
        assertThat(children).hasSize(3).allMatch(ProcessIdentity::isAlive);
        assertThat(guards).hasSize(3).allMatch(ProcessIdentity::isAlive);
    }

    @AfterEach
    void killProcesses() {
        broker.destroyForcibly();
        guards.stream().filter(ProcessIdentity::isAlive).forEach(KilledBrokerIT::kill);
        children.stream().filter(ProcessIdentity::isAlive).forEach(KilledBrokerIT::kill);
    }

    private static void kill(ProcessIdentity process) {
        ProcessHandle.of(process.pid()).ifPresent(ProcessHandle::destroyForcibly);
    }

    @Test
    void killedBrokerLeavesNoProcessesAndNoOpenPorts() throws Exception {
        Endpoints endpoints = Servers.runningEndpoints(directory).orElseThrow();
        KeptData data = new KeptData(endpoints);
        data.create();
        data.write("before the kill");
        assertThatThrownBy(() -> Servers.builder(directory).start())
                .hasMessageContaining("in use by another broker (pid " + broker.pid() + ")");

        broker.destroyForcibly();

        await().atMost(GONE).until(() -> children.stream().noneMatch(ProcessIdentity::isAlive));
        await().atMost(GONE).until(() -> guards.stream().noneMatch(ProcessIdentity::isAlive));
        assertThat(Servers.runningEndpoints(directory)).isEmpty();
        for (int port : ports(endpoints)) {
            assertThatThrownBy(() -> Loopback.connect(port, PATIENCE)).hasMessageContaining("refused");
        }
        try (Servers next = Servers.builder(directory).tuning(Tuning.TESTS).start()) {
            next.awaitReady(PATIENCE);
            assertThat(next.endpoints()).isEqualTo(endpoints);
            data.assertHolds("before the kill");
        }
    }

    @Test
    void nextStartStopsChildrenOfAKilledBrokerAndKilledGuards() throws Exception {
        KeptData data = new KeptData(Servers.runningEndpoints(directory).orElseThrow());
        data.create();
        // The guard's waiting subshell, too: it would do the guard's work.
        for (ProcessIdentity guard : guards) {
            ProcessHandle.of(guard.pid())
                    .orElseThrow()
                    .children()
                    .filter(one -> children.stream().noneMatch(child -> child.pid() == one.pid()))
                    .forEach(ProcessHandle::destroyForcibly);
        }
        guards.forEach(KilledBrokerIT::kill);
        broker.destroyForcibly();
        await().atMost(PATIENCE).until(() -> !broker.isAlive());
        data.write("after the kill");
        assertThat(children).allMatch(ProcessIdentity::isAlive);

        try (Servers next = Servers.builder(directory).tuning(Tuning.TESTS).start()) {
            assertThat(children).noneMatch(ProcessIdentity::isAlive);
            next.awaitReady(PATIENCE);
            assertThat(next.restarts()).isZero();
            data.assertHolds("after the kill");
        }
    }

    private static List<Integer> ports(Endpoints endpoints) {
        return List.of(
                URI.create("kafka://" + endpoints.kafkaBootstrapServers()).getPort(),
                URI.create(endpoints.redisUrl()).getPort(),
                URI.create(endpoints.postgresUrl().substring("jdbc:".length())).getPort());
    }
}
