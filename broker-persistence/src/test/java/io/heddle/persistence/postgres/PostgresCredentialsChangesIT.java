package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsChanges.Changed;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.testkit.CredentialsChangesContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresCredentialsChangesIT extends CredentialsChangesContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresCredentials store = new PostgresCredentials(() -> database);
    private final PostgresBlockedClients blocked = new PostgresBlockedClients(() -> database);
    private PostgresCredentialsChanges changes = new PostgresCredentialsChanges(() -> database);

    @BeforeEach
    void begin() {
        testDatabase.execute("TRUNCATE client_credentials, blocked_client");
        changes = new PostgresCredentialsChanges(() -> database);
    }

    @AfterEach
    void end() {
        changes.close();
    }

    @Override
    protected CredentialsStore store() {
        return store;
    }

    @Override
    protected BlockedClientStore blocked() {
        return blocked;
    }

    @Override
    protected CredentialsChanges changes() {
        return changes;
    }

    /** Waits for changes that are not none. */
    private Changed awaitChanges() {
        Changed changed = changes.await(Duration.ofMillis(200));
        for (int i = 0; i < 50 && !changed.isGap() && changed.ids().isEmpty(); i++) {
            changed = changes.await(Duration.ofMillis(200));
        }
        return changed;
    }

    @Test
    void truncatedTablesAreTold() {
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();

        testDatabase.execute("TRUNCATE client_credentials, blocked_client");

        assertThat(awaitChanges().isGap()).isTrue();
    }

    @Test
    void aNoticeOfAnybodyElseIsAGap() {
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();

        testDatabase.execute("NOTIFY heddle_credentials, 'nonsense'");

        assertThat(awaitChanges().isGap()).isTrue();
    }

    @Test
    void manyChangesAtOnceAreAGap() {
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();

        testDatabase.execute(
                "SELECT pg_notify('heddle_credentials', gen_random_uuid()::text)" + " FROM generate_series(1, 10001)");

        Changed changed = awaitChanges();
        assertThat(changed.isGap()).isTrue();
        assertThat(changed.ids()).isEmpty();
    }

    /** As behind a pooler in transaction mode: the notice that the node sends to itself is lost, although the store answers. */
    @Test
    void withoutItsOwnNoticesNothingIsConfirmed() {
        AtomicLong nanos = new AtomicLong();
        TestDatabase other = TestDatabase.create();
        try (PostgresDatabase elsewhere = PostgresDatabase.open(other.settings(), new SimpleMeterRegistry())) {
            AtomicReference<PostgresDatabase> current = new AtomicReference<>(database);
            try (PostgresCredentialsChanges lost = new PostgresCredentialsChanges(current::get, nanos::get)) {
                assertThat(lost.await(Duration.ofMillis(1)).isGap()).isTrue();
                current.set(elsewhere);

                long start = System.nanoTime();
                for (int i = 0; i < 10; i++) {
                    assertThat(lost.await(Duration.ofMillis(50))).isEqualTo(new Changed(false, Set.of(), false, null));
                    nanos.addAndGet(Duration.ofSeconds(1).toNanos());
                }
                assertThat(Duration.ofNanos(System.nanoTime() - start)).isGreaterThan(Duration.ofMillis(400));
            }
        } finally {
            other.close();
        }
    }

    @Test
    void whatIsConfirmedIsAsOldAsTheNoticeThatProvesIt() {
        AtomicLong nanos = new AtomicLong();
        try (PostgresCredentialsChanges told = new PostgresCredentialsChanges(() -> database, nanos::get)) {
            assertThat(told.await(Duration.ofMillis(1)).isGap()).isTrue();
            Duration ago = null;
            for (int i = 0; i < 50 && ago == null; i++) {
                ago = told.await(Duration.ofMillis(200)).confirmedAgo();
            }
            assertThat(ago).isEqualTo(Duration.ZERO);
            nanos.addAndGet(Duration.ofMillis(499).toNanos());

            assertThat(told.await(Duration.ofMillis(1)).confirmedAgo()).isEqualTo(Duration.ofMillis(499));
        }
    }

    @Test
    void aLostConnectionIsAGap() {
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();

        testDatabase.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                + " AND datname = current_database() AND pid <> pg_backend_pid()");

        assertThatThrownBy(() -> changes.await(Duration.ofMillis(100))).isInstanceOf(StoreUnavailableException.class);
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();
    }
}
