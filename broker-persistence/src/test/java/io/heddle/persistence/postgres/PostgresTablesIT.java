package io.heddle.persistence.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.backup.BackupEntry;
import io.heddle.persistence.backup.BackupEntry.Origin;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

@Tag("ci")
class PostgresTablesIT {
    private static final List<String> TABLES = List.of(
            "cluster_identity",
            "client_credentials",
            "admin_user",
            "audit_entry",
            "topic_rules",
            "blocked_client",
            "api_key");
    private static final String LATEST = "21";

    private final TestDatabase lost = TestDatabase.create();
    private final TestDatabase fresh = TestDatabase.create();

    @AfterEach
    void drop() {
        lost.close();
        fresh.close();
    }

    private static PostgresDatabase open(TestDatabase database) {
        return PostgresDatabase.open(database.settings(), new SimpleMeterRegistry());
    }

    private static void fill(TestDatabase target) {
        try (PostgresDatabase database = open(target)) {
            new PostgresClusterIdentity(database).id();
            database.call("fill", connection -> {
                try (Statement statement = connection.createStatement()) {
                    statement.execute("INSERT INTO client_credentials (id, client_id, user_name, client_type,"
                            + " password_hash) SELECT gen_random_uuid(), CASE WHEN n % 2 = 0 THEN 'pump-' || n END,"
                            + " 'Größe \\ \"' || n || E'\\n\\t', 'DEVICE', '$argon2id$' || n"
                            + " FROM generate_series(1, 2500) n");
                    statement.execute("INSERT INTO admin_user (id, user_name, password_hash, role)"
                            + " VALUES (gen_random_uuid(), 'ada', 'hash', 'ADMIN')");
                    statement.execute("INSERT INTO audit_entry (administrator, address, action, target, outcome)"
                            + " SELECT 'ada', '::1', 'CREATE', 'x', 'DONE' FROM generate_series(1, 20)");
                    statement.execute("INSERT INTO topic_rules (version, text, changed_by)"
                            + " VALUES (3, E'default deny\\nallow all ü/# for everyone\\n', 'ada')");
                    statement.execute("INSERT INTO blocked_client VALUES (gen_random_uuid(), 'ADDRESS', '10.0.0.0/8',"
                            + " 'Größe', now() + interval '1 day', 'ada', now())");
                    statement.execute(
                            "INSERT INTO api_key VALUES ('ci', repeat('0f', 32), 'VIEWER', NULL, 'ada', now()),"
                                    + " ('cd', repeat('f0', 32), 'ADMIN', now() + interval '90 days', 'ada', now())");
                    return statement.execute("DELETE FROM audit_entry WHERE id < 5");
                }
            });
        }
    }

    /** Returns all rows of a table, with all digits of their times. */
    private static List<String> rows(TestDatabase source, String table) {
        try (PostgresDatabase database = open(source)) {
            return database.call("read", connection -> {
                try (Statement statement = connection.createStatement();
                        ResultSet rows = statement.executeQuery("SELECT t::text FROM " + table + " t ORDER BY 1")) {
                    List<String> found = new ArrayList<>();
                    while (rows.next()) {
                        found.add(rows.getString(1));
                    }
                    return found;
                }
            });
        }
    }

    private static List<BackupEntry> backUp(TestDatabase source) {
        List<BackupEntry> entries = new ArrayList<>();
        new PostgresTables(source.settings()).backUp((id, schema) -> new Origin(id, 0, 16, schema), entries::add);
        return entries;
    }

    private static boolean restore(List<BackupEntry> backup, TestDatabase target) {
        return new PostgresTables(target.settings())
                .restore((Origin) backup.getFirst(), sink -> backup.forEach(sink::accept));
    }

    @Test
    void allRowsAreRestored() {
        fill(lost);
        List<BackupEntry> backup = backUp(lost);
        assertThat(((Origin) backup.getFirst()).schema()).isEqualTo(LATEST);

        assertThat(restore(backup, fresh)).isTrue();

        for (String table : TABLES) {
            assertThat(rows(fresh, table)).as(table).isNotEmpty().isEqualTo(rows(lost, table));
        }
    }

    @Test
    void theNextEntryOfTheAuditLogHasAHigherId() {
        fill(lost);
        restore(backUp(lost), fresh);

        try (PostgresDatabase database = open(fresh)) {
            long id = database.call("add", connection -> {
                try (Statement statement = connection.createStatement();
                        ResultSet added = statement.executeQuery("INSERT INTO audit_entry (administrator, address,"
                                + " action, target) VALUES ('ada', '::1', 'CREATE', 'y') RETURNING id")) {
                    added.next();
                    return added.getLong(1);
                }
            });
            assertThat(id).isEqualTo(21);
        }
    }

    @Test
    void theDatabaseOfTheClusterIsLeftUnchanged() {
        fill(lost);
        List<BackupEntry> backup = backUp(lost);

        assertThat(restore(backup, lost)).isFalse();
    }

    @Test
    void theDatabaseOfAnotherClusterIsRejected() {
        fill(lost);
        fill(fresh);
        List<BackupEntry> backup = backUp(lost);

        assertThatThrownBy(() -> restore(backup, fresh))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("has data of another cluster than the backup");
    }

    @Test
    void aDatabaseWithStoredCredentialsIsRejected() {
        fill(lost);
        fill(fresh);
        try (PostgresDatabase database = open(fresh)) {
            database.call("forget", connection -> {
                try (Statement statement = connection.createStatement()) {
                    return statement.execute("DELETE FROM cluster_identity");
                }
            });
        }
        List<BackupEntry> backup = backUp(lost);
        List<String> before = rows(fresh, "client_credentials");

        assertThatThrownBy(() -> restore(backup, fresh))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("has rows in client_credentials already")
                .hasMessageNotContaining("argon2");
        assertThat(rows(fresh, "client_credentials")).isEqualTo(before);
    }

    @Test
    void anEarlierSchemaIsRestoredAndThenMigrated() {
        fill(lost);
        List<BackupEntry> backup = new ArrayList<>(backUp(lost));
        Origin origin = (Origin) backup.getFirst();
        backup.set(0, new Origin(origin.clusterId(), 0, 16, "6"));
        // That schema has no such tables.
        backup.removeIf(entry -> entry instanceof BackupEntry.Row row
                && Set.of("topic_rules", "blocked_client", "api_key").contains(row.table()));

        assertThat(restore(backup, fresh)).isTrue();

        assertThat(((Origin) backUp(fresh).getFirst()).schema()).isEqualTo("6");
        assertThat(rows(fresh, "client_credentials")).isEqualTo(rows(lost, "client_credentials"));
        assertThat(((Origin) backUp(fresh).getFirst()).schema()).isEqualTo(LATEST);
    }

    @Test
    void aLaterSchemaIsRejected() {
        List<BackupEntry> backup = List.of(new Origin(new UUID(1, 2), 0, 16, "1000"));

        assertThatThrownBy(() -> restore(backup, fresh))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("the backup has version 1000");
    }

    @Test
    void aDatabaseWithoutDataIsNotBackedUp() {
        assertThatThrownBy(() -> backUp(fresh))
                .isInstanceOf(StartupException.class)
                .hasMessageContaining("has no data of Heddle");
    }
}
