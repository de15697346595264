package io.heddle.persistence.postgres;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.persistence.TestSettings;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.sql.Statement;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.Test;

class PostgresDatabaseIT {
    /** Generous, for a busy machine. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    /** The time limit of a step that must fail; all other steps must finish within it. */
    private static final Duration SHORT = Duration.ofSeconds(3);

    /** No server listens on this port, which the system never assigns. */
    private static final String NOBODY_THERE = "127.0.0.1:1";

    private final MeterRegistry registry = new SimpleMeterRegistry();

    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    @Test
    void opensAnEmptyDatabaseAndOpensItAgain() {
        try (PostgresDatabase first = open(testDatabase.settings())) {
            first.check();
        }
        try (PostgresDatabase second = open(testDatabase.settings())) {
            second.check();
            assertThat(new PostgresCredentials(() -> second).count()).isZero();
        }
        assertThat(registry.get("heddle.store.check")
                        .tags("store", "postgresql", "outcome", "up")
                        .timer()
                        .count())
                .isEqualTo(2);
    }

    @Test
    void nodesThatStartTogetherCreateOneSchemaAndOneIdentity() throws Exception {
        Callable<UUID> node = () -> {
            try (PostgresDatabase database = open(testDatabase.settings())) {
                return new PostgresClusterIdentity(database).id();
            }
        };
        try (ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<UUID>> ids = executor.invokeAll(List.of(node, node, node));

            UUID first = ids.getFirst().get();
            for (Future<UUID> id : ids) {
                assertThat(id.get()).isEqualTo(first);
            }
        }
    }

    @Test
    void theIdentitySurvivesRestarts() {
        UUID first;
        try (PostgresDatabase database = open(testDatabase.settings())) {
            assertThat(new PostgresClusterIdentity(database).exists()).isFalse();
            first = new PostgresClusterIdentity(database).id();
            assertThat(new PostgresClusterIdentity(database).exists()).isTrue();
        }
        try (PostgresDatabase database = open(testDatabase.settings())) {
            assertThat(new PostgresClusterIdentity(database).id()).isEqualTo(first);
        }
    }

    @Test
    void anUnreachableServerIsNamedWithItsSetting() {
        String url = "jdbc:postgresql://" + NOBODY_THERE + "/heddle";

        sentenceOf(() -> open(TestSettings.postgres(url, "heddle", "secret")))
                .contains(url, "Connection refused", "heddle.postgres.url", "start it")
                .doesNotContain("secret");
    }

    @Test
    void aServerThatNeverAnswersTimesOut() throws IOException {
        try (ServerSocket silent = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            String url = "jdbc:postgresql://127.0.0.1:" + silent.getLocalPort() + "/heddle";
            PostgresSettings settings =
                    new PostgresSettings(url, "heddle", "", 8, Duration.ofSeconds(1), Duration.ofSeconds(1));

            sentenceOf(() -> open(settings)).contains("does not answer", url, "heddle.postgres.url");
        }
    }

    @Test
    void aWrongPasswordIsReported() {
        PostgresSettings right = testDatabase.settings();

        sentenceOf(() -> open(TestSettings.postgres(right.url(), right.user(), "wrong-password")))
                .contains("rejects user '" + right.user() + "'", "heddle.postgres.user", "heddle.postgres.password")
                .doesNotContain("wrong-password");
    }

    @Test
    void aMissingDatabaseIsReported() {
        PostgresSettings right = testDatabase.settings();
        String url = testDatabase.url("nosuchdatabase");

        sentenceOf(() -> open(TestSettings.postgres(url, right.user(), right.password())))
                .contains(url, "no such database", "CREATE DATABASE", "heddle.postgres.url");
    }

    @Test
    void aUserWithoutTheCreatePrivilegeIsReported() {
        String role = "reader_" + testDatabase.name();
        testDatabase.execute("CREATE ROLE " + role + " LOGIN PASSWORD 'reader'");
        try {
            sentenceOf(() -> open(TestSettings.postgres(testDatabase.settings().url(), role, "reader")))
                    .contains(
                            "does not authorize user '" + role + "' to create tables", "grant", "heddle.postgres.user");
        } finally {
            testDatabase.execute("DROP ROLE " + role);
        }
    }

    @Test
    void aForeignDatabaseIsNotChanged() {
        testDatabase.execute("CREATE TABLE somebody_elses (id int)");

        sentenceOf(() -> open(testDatabase.settings()))
                .contains(testDatabase.settings().address(), "is incompatible", "heddle.postgres.url");
    }

    @Test
    void aSchemaOfALaterVersionIsRefusedAndNotChanged() {
        open(testDatabase.settings()).close();
        testDatabase.execute(
                "INSERT INTO flyway_schema_history VALUES (1000, '900', 'later', 'SQL', 'V900__later.sql', 1,"
                        + " current_user, now(), 1, true)");

        sentenceOf(() -> open(testDatabase.settings()))
                .contains(
                        testDatabase.settings().address(),
                        "has a schema of version 900",
                        "knows versions up to ",
                        "start the version of Heddle that migrated it");
    }

    @Test
    void aFullPoolIsUnavailabilityAfterTheConnectTimeout() throws Exception {
        // The tables are made without the short limit.
        open(testDatabase.settings()).close();
        PostgresSettings one = withPool(1, SHORT, PATIENCE);
        CountDownLatch borrowed = new CountDownLatch(1);
        CountDownLatch release = new CountDownLatch(1);
        try (PostgresDatabase database = open(one);
                ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor()) {
            Future<Boolean> holder = executor.submit(() -> database.call("hold the only connection", connection -> {
                borrowed.countDown();
                awaitUninterruptibly(release);
                return connection.isValid((int) PATIENCE.toSeconds());
            }));
            borrowed.await();

            assertThatThrownBy(database::check).isInstanceOf(StoreUnavailableException.class);
            assertThat(registry.get("heddle.store.check")
                            .tags("store", "postgresql", "outcome", "down")
                            .timer()
                            .count())
                    .isEqualTo(1);

            release.countDown();
            assertThat(holder.get()).isTrue();
            database.check();
        }
    }

    @Test
    void aStatementThatTakesTooLongIsUnavailability() {
        open(testDatabase.settings()).close();
        try (PostgresDatabase database = open(withPool(2, PATIENCE, SHORT))) {
            assertThatThrownBy(() -> sql(database, "SELECT pg_sleep(600)"))
                    .isInstanceOf(StoreUnavailableException.class);
            database.check();
        }
    }

    @Test
    void aConnectionThatTheServerEndsIsReplaced() {
        try (PostgresDatabase database = open(withPool(1, PATIENCE, PATIENCE))) {
            assertThatThrownBy(() -> sql(database, "SELECT pg_terminate_backend(pg_backend_pid())"))
                    .isInstanceOf(StoreUnavailableException.class);
            database.check();
        }
    }

    @Test
    void aRejectedStatementKeepsItsSqlStateAndChangesNothing() {
        try (PostgresDatabase database = open(testDatabase.settings())) {
            assertThatThrownBy(() -> sql(database, "SELEC 1"))
                    .isInstanceOfSatisfying(
                            PostgresException.class,
                            bug -> assertThat(bug.sqlState()).isEqualTo("42601"));
            assertThatThrownBy(() -> database.inTransaction("fail half-way", connection -> {
                        try (Statement statement = connection.createStatement()) {
                            statement.execute(
                                    "INSERT INTO client_credentials (id, client_id, client_type, password_hash)"
                                            + " VALUES (gen_random_uuid(), 'a', 'DEVICE', 'hash')");
                            return statement.execute("SELEC 1");
                        }
                    }))
                    .isInstanceOf(PostgresException.class);
            assertThat(new PostgresCredentials(() -> database).count()).isZero();
        }
    }

    @Test
    void theSchemaRejectsRowsThatTheCodeMustNotWrite() {
        try (PostgresDatabase database = open(testDatabase.settings())) {
            for (String values : List.of(
                    "NULL, NULL, 'DEVICE', 'hash'",
                    "'', NULL, 'DEVICE', 'hash'",
                    "'a', NULL, 'TOASTER', 'hash'",
                    "'a', NULL, 'DEVICE', ''")) {
                assertThatThrownBy(() -> sql(
                                database,
                                "INSERT INTO client_credentials (id, client_id, user_name, client_type, password_hash)"
                                        + " VALUES (gen_random_uuid(), " + values + ")"))
                        .as(values)
                        .isInstanceOfSatisfying(
                                PostgresException.class,
                                bug -> assertThat(bug.sqlState()).isEqualTo("23514"));
            }
            assertThatThrownBy(() -> sql(
                            database,
                            "INSERT INTO cluster_identity (only_row, cluster_id) VALUES (false, gen_random_uuid())"))
                    .isInstanceOf(PostgresException.class);
        }
    }

    private PostgresDatabase open(PostgresSettings settings) {
        return PostgresDatabase.open(settings, registry);
    }

    private PostgresSettings withPool(int size, Duration connectTimeout, Duration queryTimeout) {
        PostgresSettings base = testDatabase.settings();
        return new PostgresSettings(base.url(), base.user(), base.password(), size, connectTimeout, queryTimeout);
    }

    private static boolean sql(PostgresDatabase database, String sql) {
        return database.call("test", connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute(sql);
            }
        });
    }

    private static void awaitUninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
