package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.standalone.directory.DataDirectory;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.process.SupervisedProcess;
import io.heddle.standalone.testkit.Relay;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.Collectors;
import org.apache.kafka.common.errors.TimeoutException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Starts of single servers, and failing starts. */
@Tag("ci")
class FewServersIT {
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    private static final int MAXIMUM_EXITS = 5;

    @TempDir
    Path directory;

    @Test
    void postgresAloneStartsAndStopsWithoutLeftovers() throws Exception {
        Servers.Builder builder =
                Servers.builder(directory).tuning(Tuning.TESTS).only(Server.POSTGRESQL);
        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);

            Endpoints endpoints = servers.endpoints();
            assertThat(servers.processes()).hasSize(1);
            assertThat(endpoints.kafkaBootstrapServers()).isEmpty();
            assertThat(endpoints.redisUrls()).isEmpty();
            try (Connection connection = DriverManager.getConnection(
                    endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword())) {
                assertThat(connection.getMetaData().getDatabaseProductVersion()).startsWith("18.");
            }
        }

        assertThat(Servers.runningEndpoints(directory)).isEmpty();
        assertThat(directory.resolve("run")).isDirectoryNotContaining("glob:**.process");
    }

    @Test
    void childIsGivenUpAfterTheFifthExit() throws Exception {
        List<String> sentences = new CopyOnWriteArrayList<>();
        Servers.Builder builder = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.REDIS)
                .onGiveUp(sentences::add);
        try (Servers servers = builder.start()) {
            SupervisedProcess redis = servers.process(Server.REDIS, 0);
            for (int exits = 0; exits < MAXIMUM_EXITS; exits++) {
                int restarts = exits;
                await().atMost(PATIENCE).until(() -> redis.restarts() == restarts && redis.isReady());
                redis.kill();
            }

            await().atMost(PATIENCE).until(() -> !sentences.isEmpty());
            assertThat(sentences)
                    .singleElement()
                    .asString()
                    .contains("Redis exited 5 times within 60 s", "redis-0.log");
            assertThat(redis.restarts()).isEqualTo(MAXIMUM_EXITS - 1);

            redis.start();
            assertThat(redis.awaitReady(PATIENCE)).isTrue();
        }
    }

    @Test
    void failingPreparationOfARestartIsRetried() throws Exception {
        try (Servers servers = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.REDIS)
                .start()) {
            servers.awaitReady(PATIENCE);
            SupervisedProcess redis = servers.process(Server.REDIS, 0);
            // The new settings cannot be written, as on a full disk.
            Path obstacle = Files.createDirectories(directory.resolve("redis/0/redis.conf.next/obstacle"));

            redis.kill();
            await().atMost(PATIENCE).until(() -> redis.restarts() >= 1);
            Files.delete(obstacle);
            // If it was given up meanwhile, this starts it; otherwise this does nothing.
            redis.start();

            await().atMost(PATIENCE).until(redis::isReady);
        }
    }

    @Test
    void serverThatExitsOnAFullDiskIsRestartedWhenThereIsFreeSpace() throws Exception {
        AtomicLong free = new AtomicLong(1L << 40);
        List<String> sentences = new CopyOnWriteArrayList<>();
        try (Servers servers = Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.REDIS)
                .usableBytes(folder -> free.get())
                .onGiveUp(sentences::add)
                .start()) {
            servers.awaitReady(PATIENCE);
            SupervisedProcess redis = servers.process(Server.REDIS, 0);

            free.set(0);
            redis.kill();
            await().atMost(PATIENCE).until(() -> !redis.isReady());
            await().during(Duration.ofSeconds(2)).atMost(PATIENCE).until(() -> redis.restarts() == 0);
            free.set(1L << 40);

            await().atMost(PATIENCE).until(redis::isReady);
            assertThat(redis.restarts()).isOne();
            assertThat(sentences).isEmpty();
        }
    }

    @Test
    void serverThatCannotStartIsReportedWithItsLastLogLine() throws Exception {
        Servers.Builder builder =
                Servers.builder(directory).tuning(Tuning.TESTS).only(Server.REDIS);
        builder.start().close();
        Path appendOnly =
                Files.createDirectories(directory.resolve("redis/0/data")).resolve("appendonly.aof");
        Files.writeString(appendOnly, "this is not an append-only file");
        try (Servers servers = builder.start()) {
            assertThatThrownBy(() -> servers.awaitReady(PATIENCE))
                    .isInstanceOf(StandaloneException.class)
                    .hasMessageContaining("Redis exited 5 times within 60 s")
                    .hasMessageContaining("Bad file format");
        }
    }

    @Test
    void changedNumberOfNodesIsRejected() {
        Servers.builder(directory)
                .tuning(Tuning.TESTS)
                .only(Server.REDIS)
                .start()
                .close();

        assertThatThrownBy(() -> Servers.builder(directory)
                        .only(Server.REDIS)
                        .redisNodes(3)
                        .start())
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining("created with 1 Redis node(s), not 3");
        // The rejected start has released the lock.
        DataDirectory.open(directory).close();
    }

    @Test
    void closeDuringTheStartLeavesNothingRunning() {
        Servers servers = Servers.builder(directory).tuning(Tuning.TESTS).start();

        servers.close();
        servers.close();

        assertThat(servers.processes()).noneMatch(SupervisedProcess::isReady);
        assertThat(directory.resolve("run")).isDirectoryNotContaining("glob:**.process");
    }

    @Test
    void postgresStartsDespiteAPidFileThatNamesAnotherProgram() throws Exception {
        Servers.Builder builder =
                Servers.builder(directory).tuning(Tuning.TESTS).only(Server.POSTGRESQL);
        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            servers.process(Server.POSTGRESQL, 0).crash();
        }
        Path pidFile = directory.resolve("postgresql/data/postmaster.pid");
        String content = Files.readString(pidFile);
        String self = Long.toString(ProcessHandle.current().pid());
        Files.writeString(pidFile, self + content.substring(content.indexOf('\n')));

        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            assertThat(servers.restarts()).isZero();
        }
    }

    @Test
    void aLostPasswordOfKafkaIsDrawnAgain() throws Exception {
        Servers.Builder builder =
                Servers.builder(directory).tuning(Tuning.TESTS).only(Server.KAFKA);
        String before;
        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            before = servers.endpoints().kafkaPassword();
            KeptData data = new KeptData(servers.endpoints());
            data.createTopic();
            data.writeKafka("kept");
        }
        Path secrets = directory.resolve("secrets.properties");
        Files.writeString(
                secrets,
                Files.readString(secrets)
                        .lines()
                        .filter(line -> !line.startsWith("kafka.password"))
                        .collect(Collectors.joining("\n")));

        try (Servers servers = builder.start()) {
            servers.awaitReady(PATIENCE);
            assertThat(servers.endpoints().kafkaPassword()).hasSize(48).isNotEqualTo(before);
            assertThat(new KeptData(servers.endpoints()).kafka()).contains("kept");
        }
    }

    @Test
    void kafkaClientsConnectToTheAdvertisedPort() throws Exception {
        try (Relay relay = Relay.open();
                Servers servers = Servers.builder(directory)
                        .tuning(Tuning.TESTS)
                        .only(Server.KAFKA)
                        .kafkaAdvertisedPorts(List.of(relay.port()))
                        .start()) {
            servers.awaitReady(PATIENCE);
            relay.forwardTo(URI.create("kafka://" + servers.endpoints().kafkaBootstrapServers())
                    .getPort());
            KeptData data = new KeptData(servers.endpoints());
            data.createTopic();
            data.writeKafka("through the relay");

            relay.cut();
            assertThatThrownBy(() -> data.kafkaWithin(Duration.ofSeconds(1))).isInstanceOf(TimeoutException.class);
            relay.restore();
            assertThat(data.kafka()).contains("through the relay");
        }
    }
}
