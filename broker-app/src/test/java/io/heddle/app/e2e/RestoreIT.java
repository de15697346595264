package io.heddle.app.e2e;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.launcher.BrokerProcess;
import io.heddle.app.launcher.Ended;
import io.heddle.app.launcher.OwnProcesses;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.testkit.TestServers;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.apache.kafka.clients.admin.Admin;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** The procedures "Back up" and "Restore" of docs/operations.md: all data is lost, and what the page promises is there afterwards. */
@OwnProcesses(because = "the commands of the launcher are under test")
@Tag("ci")
@Tag("alone")
@Timeout(value = 10, unit = TimeUnit.MINUTES)
final class RestoreIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final Duration FIVE_INTERVALS = Duration.ofMillis(500);
    private static final Pattern LOGGED = Pattern.compile("heddle_buckets_acknowledgements_logged_total\\S* \\S+");
    private static final int NODES = 2;
    private static final String LATE = "late/" + Library.newClientId();

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private final StoredState stored = new StoredState();
    private final StoredAccounts accounts = new StoredAccounts();

    private static Servers servers(Path data) throws InterruptedException {
        Servers servers = Servers.builder(data).tuning(Tuning.OUTAGE_TESTS).start();
        boolean complete = false;
        try {
            servers.awaitReady(READY);
            complete = true;
            return servers;
        } finally {
            if (!complete) {
                servers.close();
            }
        }
    }

    private static ServingNodes nodes(Servers servers, String password) throws IOException {
        return ServingNodes.start(
                servers.endpoints(), NODES, password, "--heddle.buckets.acknowledgement-interval=100ms");
    }

    private static Ended command(String name, Path file, Endpoints endpoints) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(name, file.toString()));
        arguments.addAll(BrokerUnderTest.defaultSettings("command", endpoints));
        return BrokerProcess.runCommand(arguments);
    }

    @Test
    void aBackupOfARunningClusterRestoresEverythingButMessages() throws Exception {
        Path file = directory.resolve("backup");
        RawConnect connected = SteadyClient.persistent(DeliveryPath.DEVICE);
        String password;
        try (Servers servers = servers(directory.resolve("lost"));
                ServingNodes nodes = nodes(servers, "")) {
            password = nodes.password();
            stored.store(nodes.port(0));
            accounts.store(nodes);
            try (RawClient _ = connected.open(nodes.port(1))) {
                assertSucceeded(command("backup", file, servers.endpoints()));
                assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
                        .isEqualTo("rw-------");
            }
            try (LibraryClient publisher = Library.HIVEMQ_5.connected(nodes.port(1))) {
                publisher.publish(LATE, "after the backup", 1, true);
            }
            assertFailed(command("backup", file, servers.endpoints()), "exists already");
            nodes.stopAll();
        }

        try (Servers servers = servers(directory.resolve("new"))) {
            Ended restore = command("restore", file, servers.endpoints());
            assertSucceeded(restore);
            assertThat(restore.output())
                    .contains("PostgreSQL: restored")
                    .containsPattern("heddle\\.clients: [1-9]\\d* records restored")
                    .containsPattern("heddle\\.retained: [1-9]\\d* records restored")
                    // Their topics are lost.
                    .contains("heddle.progress: 0 records restored");
            try (ServingNodes nodes = nodes(servers, password)) {
                assertFailed(command("restore", file, servers.endpoints()), "these nodes are alive");
                assertAllButMessages(nodes);
                assertThat(nodes.open(connected, 0).sessionPresent()).isTrue();
                try (RawClient subscriber = new RawConnect(Library.newClientId())
                        .open(nodes.port(0))
                        .subscribe(LATE, 1)) {
                    assertThat(subscriber.packetsUntilPing())
                            .as("messages after the backup")
                            .isEmpty();
                }
                nodes.stopAll();
            }
            assertOnlyLostTopicsAreRestored(file, servers.endpoints());
        }
    }

    private void assertAllButMessages(ServingNodes nodes) throws Exception {
        stored.assertSessionsWithoutMessages(nodes.port(0));
        for (int node = 0; node < NODES; node++) {
            stored.assertRetained(nodes.port(node));
            accounts.assertStored(nodes, node);
        }
        stored.assertSubscriptions(nodes.port(0), nodes.port(1));
        stored.assertWills(nodes.port(1), nodes.port(0));
        accounts.assertGuarded(nodes, 1);
    }

    /** The topics of APPLICATION clients exist, and so do their positions in them; but they are not those of the backup. */
    private static void assertOnlyLostTopicsAreRestored(Path file, Endpoints endpoints) throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
            admin.deleteTopics(List.of("heddle.retained", "heddle.progress"))
                    .all()
                    .get(READY.toSeconds(), TimeUnit.SECONDS);
        }
        Ended again = command("restore", file, endpoints);
        assertSucceeded(again);
        assertThat(again.output())
                .contains("PostgreSQL: unchanged")
                .contains("heddle.clients: unchanged")
                .containsPattern("heddle\\.retained: [1-9]\\d* records restored")
                .contains("heddle.progress: 0 records restored");
    }

    @Test
    void aCopyOfTheStoppedStoresRestoresMessagesToo() throws Exception {
        Path data = directory.resolve("data");
        Path copy = Files.createDirectory(directory.resolve("copy"));
        Path file = directory.resolve("positions");
        String password;
        try (Servers servers = servers(data);
                ServingNodes nodes = nodes(servers, "")) {
            password = nodes.password();
            stored.store(nodes.port(0));
            accounts.store(nodes);
            awaitLoggedAcknowledgements(nodes);
            nodes.stopAll();
            assertSucceeded(command("backup", file, servers.endpoints()));
        }
        for (String store : List.of("kafka", "postgresql")) {
            run("cp", "-a", data.resolve(store).toString(), copy.toString());
        }

        for (String store : List.of("kafka", "postgresql", "redis")) {
            run("rm", "-r", data.resolve(store).toString());
        }
        for (String store : List.of("kafka", "postgresql")) {
            run("cp", "-a", copy.resolve(store).toString(), data.toString());
        }

        try (Servers servers = servers(data)) {
            assertPositionsAreRestored(file, servers.endpoints());
            try (ServingNodes nodes = nodes(servers, password)) {
                for (int node = 0; node < NODES; node++) {
                    stored.assertRetained(nodes.port(node));
                    accounts.assertStored(nodes, node);
                }
                stored.assertMessages(nodes.port(0));
                stored.assertSubscriptions(nodes.port(1), nodes.port(0));
                stored.assertWills(nodes.port(0), nodes.port(1));
                nodes.stopAll();
            }
        }
    }

    /** Returns when nothing was added to the logged acknowledgements for five intervals. Those of the last interval are lost with Redis. */
    private static void awaitLoggedAcknowledgements(ServingNodes nodes) {
        AtomicReference<String> last = new AtomicReference<>("");
        Soon.until(READY, FIVE_INTERVALS, () -> {
            String logged = LOGGED.matcher(
                            nodes.send(0, "GET", "/actuator/prometheus", "").body())
                    .results()
                    .map(MatchResult::group)
                    .collect(Collectors.joining());
            return !logged.isEmpty() && !logged.endsWith(" 0.0") && logged.equals(last.getAndSet(logged));
        });
    }

    /** The positions of APPLICATION clients in topics that still exist. */
    private static void assertPositionsAreRestored(Path file, Endpoints endpoints) throws Exception {
        try (Admin admin = Admin.create(TestServers.kafkaClient(endpoints, Map.of()))) {
            admin.deleteTopics(List.of("heddle.progress")).all().get(READY.toSeconds(), TimeUnit.SECONDS);
        }
        Ended restore = command("restore", file, endpoints);
        assertSucceeded(restore);
        assertThat(restore.output())
                .contains("heddle.clients: unchanged", "heddle.retained: unchanged")
                .containsPattern("heddle\\.progress: [1-9]\\d* records restored");
    }

    private static void run(String... command) throws Exception {
        Process process = new ProcessBuilder(command).inheritIO().start();
        assertThat(process.waitFor()).as(String.join(" ", command)).isZero();
    }

    private static void assertSucceeded(Ended command) {
        assertThat(command.status()).as(command.output() + command.errors()).isZero();
        assertThat(command.errors()).isEmpty();
    }

    private static void assertFailed(Ended command, String reason) {
        assertThat(command.status()).as(command.output() + command.errors()).isEqualTo(1);
        assertThat(command.errors()).contains(reason);
    }
}
