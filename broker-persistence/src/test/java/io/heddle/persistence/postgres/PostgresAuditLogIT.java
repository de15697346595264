package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.administration.AuditAttempt;
import io.heddle.core.administration.AuditEntry;
import io.heddle.core.administration.AuditFilter;
import io.heddle.core.administration.AuditLog;
import io.heddle.core.administration.AuditOutcome;
import io.heddle.core.administration.AuditQuery;
import io.heddle.core.testkit.AuditLogContract;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class PostgresAuditLogIT extends AuditLogContract {
    @AutoClose
    private final TestDatabase testDatabase = TestDatabase.create();

    private final PostgresDatabase database = testDatabase.open();
    private final PostgresAuditLog log = new PostgresAuditLog(() -> database);

    @BeforeEach
    void empty() {
        testDatabase.execute("TRUNCATE audit_entry");
    }

    @Override
    protected AuditLog log() {
        return log;
    }

    /** A filter that selects few entries of many, in each order. */
    @ParameterizedTest
    @CsvSource({"administrator,bob", "action,PUBLISH", "target,things/7", "outcome,FAILED"})
    void eachFilterHasAnIndexInTheOrderOfTheList(String column, String value) {
        testDatabase.execute("""
                INSERT INTO audit_entry (happened_at, administrator, address, action, target, outcome)
                SELECT timestamptz '2026-11-01' + n * interval '1 second', 'ada', '::1', 'DRAIN', 'things/1', 'DONE'
                  FROM generate_series(1, 20000) n""");
        testDatabase.execute("UPDATE audit_entry SET " + column + " = '" + value + "' WHERE id % 100 = 0");
        testDatabase.execute("ANALYZE audit_entry");
        AuditFilter filter = new AuditFilter(
                column.equals("administrator") ? value : null,
                column.equals("action") ? value : null,
                column.equals("target") ? value : null,
                column.equals("outcome") ? AuditOutcome.valueOf(value) : null,
                null,
                null);
        AuditQuery.Position after = new AuditQuery.Position(Instant.parse("2026-11-01T02:00:00Z"), 7_000);

        for (boolean newestFirst : List.of(true, false)) {
            assertThat(plan(new AuditQuery(filter, newestFirst, after, 101)))
                    .contains("using audit_entry_" + column)
                    .doesNotContain("Sort")
                    .doesNotContain("Seq Scan");
        }
    }

    private String plan(AuditQuery query) {
        List<Object> values = new ArrayList<>();
        String sql = PostgresAuditLog.select(query, values);
        return TestDatabase.plan(database, sql, values);
    }

    @Test
    void theOldestEntriesAreRemoved() {
        PostgresAuditLog small = new PostgresAuditLog(() -> database, 10);
        long id;
        do {
            id = small.begin(new AuditAttempt("ada", "", "CHANGE", "things/1", null));
        } while (id % 1_000 != 0);

        assertThat(small.list(new AuditQuery(AuditFilter.ALL, true, null, 100)))
                .extracting(AuditEntry::id)
                .hasSize(10)
                .contains(id, id - 9);
    }
}
