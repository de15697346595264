package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditQuery;
import io.heddle.core.testkit.AuditLogContract;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAuditLogIT extends AuditLogContract {
    private final TestDatabase testDatabase = TestDatabase.create();
    private final PostgresDatabase database = PostgresDatabase.open(testDatabase.settings(), new SimpleMeterRegistry());
    private final PostgresAuditLog log = new PostgresAuditLog(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE audit_entry");
    }

    @AfterAll
    void close() {
        database.close();
        testDatabase.close();
    }

    @Override
    protected AuditLog log() {
        return log;
    }

    @Test
    void theOldestEntriesAreRemoved() {
        PostgresAuditLog small = new PostgresAuditLog(() -> database, 10);
        long id;
        do {
            id = small.begin(new AuditAttempt("ada", "", "CHANGE", "things/1", null));
        } while (id % 1_000 != 0);

        assertThat(small.list(new AuditQuery(null, null, null, null, true, null, 100)))
                .extracting(AuditEntry::id)
                .hasSize(10)
                .contains(id, id - 9);
    }
}
