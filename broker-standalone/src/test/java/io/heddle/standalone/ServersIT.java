package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.process.ProcessIdentity;
import io.heddle.standalone.process.SupervisedProcess;
import java.net.Socket;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** All tests share running servers; the test that stops them restarts them. */
@Tag("ci")
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class ServersIT {
    private static final Logger LOG = LoggerFactory.getLogger(ServersIT.class);
    private static final Duration PATIENCE = Duration.ofMinutes(3);
    // The promised times on two processors.
    private static final Duration COLD = Duration.ofSeconds(20);
    private static final Duration WARM = Duration.ofSeconds(8);
    private static final Duration STOP = Duration.ofSeconds(8);

    private Path directory;

    @AutoClose
    private Servers servers;

    private KeptData data;

    @BeforeAll
    void startCold(@TempDir Path shared) throws Exception {
        directory = shared;
        long started = System.nanoTime();
        servers = start();
        Duration cold = Duration.ofNanos(System.nanoTime() - started);
        LOG.info("cold start took {} ms", cold.toMillis());
        assertThat(cold).isLessThan(COLD);
        data = new KeptData(servers.endpoints());
        data.create();
    }

    private Servers start() throws InterruptedException {
        Servers started = Servers.builder(directory).tuning(Tuning.TESTS).start();
        started.awaitReady(PATIENCE);
        return started;
    }

    @Test
    void restartKeepsDataPortsAndPasswords() throws Exception {
        data.write("before the restart");
        Endpoints before = servers.endpoints();

        long started = System.nanoTime();
        servers.close();
        Duration stop = Duration.ofNanos(System.nanoTime() - started);
        started = System.nanoTime();
        servers = start();
        Duration warm = Duration.ofNanos(System.nanoTime() - started);

        LOG.info("stop took {} ms, warm start {} ms", stop.toMillis(), warm.toMillis());
        assertThat(stop).isLessThan(STOP);
        assertThat(warm).isLessThan(WARM);
        assertThat(servers.endpoints()).isEqualTo(before);
        data.assertHolds("before the restart");
    }

    @Test
    void killedKafkaIsRestartedWithItsData() throws Exception {
        data.writeKafka("before the kill");
        killAndAwaitRestart(Server.KAFKA);
        assertThat(data.kafka()).contains("before the kill");
    }

    /** While a partition has no leader, Kafka loses markers of transactions. */
    @Test
    void frozenKafkaKeepsTheLeadersOfItsPartitions() throws Exception {
        // A shorter session ends in some of the freezes only: a heartbeat may be handled before the end is noticed.
        assertThat(data.kafkaSession()).isGreaterThan(Duration.ofSeconds(10));
        data.writeKafka("before the freeze");
        int epoch = data.kafkaLeaderEpoch();
        long pid = servers.process(Server.KAFKA, 0).pid();

        signal("STOP", pid);
        try {
            assertThat(new CountDownLatch(1).await(10, TimeUnit.SECONDS)).isFalse();
        } finally {
            signal("CONT", pid);
        }
        // Kafka looks for ended sessions several times in this time.
        assertThat(new CountDownLatch(1).await(2, TimeUnit.SECONDS)).isFalse();

        data.writeKafka("after the freeze");
        assertThat(data.kafkaLeaderEpoch()).isEqualTo(epoch);
    }

    private static void signal(String name, long pid) throws Exception {
        assertThat(new ProcessBuilder("kill", "-" + name, Long.toString(pid))
                        .inheritIO()
                        .start()
                        .waitFor())
                .isZero();
    }

    @Test
    void killedRedisIsRestartedWithItsData() throws Exception {
        data.writeRedis("before the kill");
        killAndAwaitRestart(Server.REDIS);
        assertThat(data.redisHolds("before the kill")).isTrue();
    }

    @Test
    void killedPostgresIsRestartedWithItsData() throws Exception {
        data.writePostgres("before the kill");
        killAndAwaitRestart(Server.POSTGRESQL);
        assertThat(data.postgresEntries()).contains("before the kill");
    }

    private void killAndAwaitRestart(Server server) {
        SupervisedProcess process = servers.process(server, 0);
        long pid = process.pid();
        long restarts = process.restarts();
        long all = servers.restarts();
        long started = System.nanoTime();

        process.kill();

        await().atMost(PATIENCE).until(() -> process.restarts() == restarts + 1 && process.isReady());
        LOG.info("{} came back {} ms after kill -9", server, (System.nanoTime() - started) / 1_000_000);
        assertThat(process.pid()).isNotEqualTo(pid);
        assertThat(servers.restarts()).isEqualTo(all + 1);
        assertThat(process.startDuration()).isPositive();
    }

    @Test
    void killedGuardStopsItsChildAndBothAreRestarted() throws Exception {
        SupervisedProcess redis = servers.process(Server.REDIS, 0);
        long pid = redis.pid();
        ProcessIdentity child = Objects.requireNonNull(ProcessIdentity.of(pid));
        long restarts = redis.restarts();

        ProcessHandle.of(pid).flatMap(ProcessHandle::parent).orElseThrow().destroyForcibly();

        await().atMost(PATIENCE).until(() -> redis.restarts() == restarts + 1 && redis.isReady());
        assertThat(child.isAlive()).isFalse();
        assertThat(redis.pid()).isNotEqualTo(pid);
    }

    @Test
    void stoppedServerIsNotRestarted() throws Exception {
        SupervisedProcess redis = servers.process(Server.REDIS, 0);
        long restarts = redis.restarts();

        redis.stop();

        assertThat(redis.isReady()).isFalse();
        assertThatThrownBy(redis::pid).isInstanceOf(IllegalStateException.class);
        redis.start();
        assertThat(redis.awaitReady(PATIENCE)).isTrue();
        redis.crash();
        assertThat(redis.isReady()).isFalse();
        redis.start();
        assertThat(redis.awaitReady(PATIENCE)).isTrue();
        assertThat(redis.restarts()).isEqualTo(restarts);
    }

    @Test
    void pausedServerKeepsConnectionsAndRepliesAfterResume() throws Exception {
        URI url = URI.create(servers.endpoints().redisUrl());
        SupervisedProcess redis = servers.process(Server.REDIS, 0);
        String password = url.getUserInfo().substring(1);
        try (ExecutorService asking = Executors.newVirtualThreadPerTaskExecutor();
                RedisConnection connection = RedisConnection.open(url.getPort(), password, PATIENCE)) {
            Future<String> answer;
            redis.pause();
            try {
                answer = asking.submit(() -> connection.execute("PING"));
                assertThatThrownBy(() -> answer.get(200, TimeUnit.MILLISECONDS)).isInstanceOf(TimeoutException.class);
            } finally {
                redis.resume();
            }
            assertThat(answer.get()).isEqualTo("PONG");
        }
        await().atMost(PATIENCE).until(() -> data.redisHolds());
        assertThat(redis.isReady()).isTrue();
    }

    @Test
    void childrenAreIdentifiableAndNoCommandLineShowsAPassword() throws Exception {
        String redisPassword =
                URI.create(servers.endpoints().redisUrl()).getUserInfo().substring(1);
        for (SupervisedProcess process : servers.processes()) {
            String command = Files.readString(Path.of("/proc", Long.toString(process.pid()), "cmdline"));
            String part = switch (process.name()) {
                case "kafka-0" -> "-Dheddle.child=kafka";
                case "redis-0" -> "redis-server";
                default -> "postgres";
            };
            assertThat(command)
                    .contains(part)
                    .doesNotContain(
                            redisPassword,
                            servers.endpoints().postgresPassword(),
                            servers.endpoints().kafkaPassword());
        }
    }

    @Test
    void postgresRejectsAWrongPassword() {
        assertThatThrownBy(() -> DriverManager.getConnection(
                        servers.endpoints().postgresUrl(), servers.endpoints().postgresUser(), "another"))
                .isInstanceOf(SQLException.class)
                .hasMessageContaining("password authentication failed");
    }

    @Test
    void redisRejectsAWrongPassword() {
        int port = URI.create(servers.endpoints().redisUrl()).getPort();
        assertThatThrownBy(() -> RedisConnection.open(port, "another", PATIENCE))
                .hasMessageContaining("WRONGPASS");
    }

    @Test
    void kafkaRejectsClientsWithoutItsPasswordOnEveryListener() throws Exception {
        String password = servers.endpoints().kafkaPassword();
        Properties ports = PrivateFiles.read(directory.resolve("ports.properties"));
        for (String listener : List.of("kafka.0", "kafka.0.internal", "kafka.0.controller")) {
            int port = Integer.parseInt(ports.getProperty(listener));
            assertThat(KafkaProbe.accepts(port, password, PATIENCE))
                    .as(listener)
                    .isTrue();
            assertThat(KafkaProbe.accepts(port, "another", PATIENCE))
                    .as(listener + " with another password")
                    .isFalse();
            try (Socket socket = Loopback.connect(port, PATIENCE)) {
                socket.getOutputStream().write(KafkaProbe.metadataRequest());
                assertThat(socket.getInputStream().read())
                        .as(listener + " without a login")
                        .isEqualTo(-1);
            }
        }
    }

    @Test
    void clientOfAnotherProtocolLeavesNoStackTraceInKafkasLog() throws Exception {
        Path log = directory.resolve("log/kafka-0.log");
        long before = Files.size(log);
        int port = Integer.parseInt(
                PrivateFiles.read(directory.resolve("ports.properties")).getProperty("kafka.0"));
        try (Socket socket = Loopback.connect(port, PATIENCE)) {
            // A request of one byte, in which no header fits.
            socket.getOutputStream().write(new byte[] {0, 0, 0, 1, 'x'});
            assertThat(socket.getInputStream().read()).isEqualTo(-1);
        }

        assertThat(Files.readString(log).substring(Math.toIntExact(before))).doesNotContain("\tat ");
    }

    @Test
    void endpointsAreVisibleToOtherProcessesWhileServersRun() {
        assertThat(Servers.runningEndpoints(directory)).contains(servers.endpoints());
    }

    @Test
    void secondStartOnTheSameDataDirectoryIsRejected() {
        assertThatThrownBy(() -> Servers.builder(directory).start())
                .isInstanceOf(StandaloneException.class)
                .hasMessageContaining("in use by")
                .hasMessageContaining("pid " + ProcessHandle.current().pid())
                .hasMessageContaining("--data-dir");
        // The refused start did not release the lock of the first one.
        assertThatThrownBy(() -> Servers.builder(directory).start()).hasMessageContaining("in use by");
    }
}
