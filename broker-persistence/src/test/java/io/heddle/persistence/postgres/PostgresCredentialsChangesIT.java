package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.CredentialsChanges;
import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.blocked.BlockedClientStore;
import io.heddle.core.testkit.CredentialsChangesContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresCredentialsChangesIT extends CredentialsChangesContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
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

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
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

    @Test
    void aLostConnectionIsAGap() {
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();

        testDatabase.execute("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE query LIKE 'LISTEN%'"
                + " AND datname = current_database() AND pid <> pg_backend_pid()");

        assertThatThrownBy(() -> changes.await(Duration.ofMillis(100))).isInstanceOf(StoreUnavailableException.class);
        assertThat(changes.await(Duration.ofMillis(1)).isGap()).isTrue();
    }
}
