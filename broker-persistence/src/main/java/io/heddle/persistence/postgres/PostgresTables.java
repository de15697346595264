package io.heddle.persistence.postgres;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.backup.BackupEntry;
import io.heddle.persistence.backup.BackupEntry.Origin;
import io.heddle.persistence.backup.BackupEntry.Row;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * Copies the tables that no other store can replace to a backup and back. Blocks; used by commands, on their main thread. The table {@code
 * admin_session} is of no use to another run of the nodes.
 */
public final class PostgresTables {
    private static final List<String> TABLES = List.of(
            "cluster_identity",
            "client_credentials",
            "admin_user",
            "audit_entry",
            "topic_rules",
            "blocked_client",
            "api_key");
    private static final int ROWS_AT_ONCE = 1_000;

    private final PostgresSettings settings;

    public PostgresTables(PostgresSettings settings) {
        this.settings = settings;
    }

    /**
     * Copies all tables as of one moment.
     *
     * @param origin creates the first entry from the id of the cluster and the version of the schema
     * @throws StartupException if no node has used this database, or it does not answer
     */
    public void backUp(Origins origin, BackupEntry.Sink sink) {
        try (Connection connection = settings.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            connection.setTransactionIsolation(Connection.TRANSACTION_REPEATABLE_READ);
            UUID clusterId = clusterId(connection);
            if (clusterId == null) {
                throw new StartupException(
                        "PostgreSQL at " + settings.address()
                                + " has no data of Heddle: set heddle.postgres.url to the database of the cluster",
                        null);
            }
            sink.accept(origin.of(clusterId, schema(connection)));
            for (String table : tables(connection)) {
                copyOut(connection, table, sink);
            }
        } catch (SQLException e) {
            throw PostgresFaults.atStart(settings, e);
        }
    }

    /** Creates the first entry of a backup. */
    @FunctionalInterface
    public interface Origins {
        Origin of(UUID clusterId, String schema);
    }

    private static void copyOut(Connection connection, String table, BackupEntry.Sink sink) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            // Otherwise the driver reads the whole table into memory.
            statement.setFetchSize(ROWS_AT_ONCE);
            try (ResultSet rows = statement.executeQuery("SELECT row_to_json(t)::text FROM " + table + " t")) {
                while (rows.next()) {
                    sink.accept(new Row(table, BinaryData.wrap(rows.getString(1).getBytes(UTF_8))));
                }
            }
        }
    }

    /**
     * Restores the tables into an empty database, with the schema that they had. The next start of a node migrates it.
     *
     * @param entries passes all entries of the backup to a sink
     * @return false if the database has the tables of this cluster already, so that nothing was changed
     * @throws StartupException if it has data of another cluster or stored credentials, or does not answer
     */
    public boolean restore(Origin origin, Consumer<BackupEntry.Sink> entries) {
        try (Connection connection = settings.dataSource().getConnection()) {
            UUID stored = clusterId(connection);
            if (stored != null) {
                if (stored.equals(origin.clusterId())) {
                    return false;
                }
                throw new StartupException(
                        "PostgreSQL at " + settings.address() + " has data of another cluster than the backup: drop its"
                                + " tables, or set heddle.postgres.url to an empty database",
                        null);
            }
        } catch (SQLException e) {
            throw PostgresFaults.atStart(settings, e);
        }
        // Flyway migrates to the latest version if it does not know this one.
        new PostgresMigration(settings, settings.dataSource()).run(origin.schema() + "?");
        try (Connection connection = settings.dataSource().getConnection()) {
            connection.setAutoCommit(false);
            String schema = schema(connection);
            if (!schema.equals(origin.schema())) {
                throw new StartupException(
                        "PostgreSQL at " + settings.address() + " has version " + schema
                                + " of the schema, and the backup has version " + origin.schema()
                                + ": restore it into an empty database, with the version of Heddle that made it or a later"
                                + " one",
                        null);
            }
            requireEmpty(connection);
            try (Restoration restoration = new Restoration(connection)) {
                entries.accept(restoration);
                restoration.write();
            }
            advanceIds(connection);
            connection.commit();
            return true;
        } catch (SQLException e) {
            throw PostgresFaults.atStart(settings, e);
        }
    }

    /** Credentials may be stored before the first node starts, which creates the id of the cluster. */
    private void requireEmpty(Connection connection) throws SQLException {
        for (String table : tables(connection)) {
            try (Statement statement = connection.createStatement();
                    ResultSet rows = statement.executeQuery("SELECT EXISTS (SELECT FROM " + table + ")")) {
                rows.next();
                if (rows.getBoolean(1)) {
                    throw new StartupException(
                            "PostgreSQL at " + settings.address() + " has rows in " + table
                                    + " already, although no node has started on it: drop its tables, and restore before"
                                    + " credentials are stored",
                            null);
                }
            }
        }
    }

    /** Inserts the rows of the backup. */
    private static final class Restoration implements BackupEntry.Sink, AutoCloseable {
        private final Map<String, PreparedStatement> inserts = new LinkedHashMap<>();
        private int waiting;

        Restoration(Connection connection) throws SQLException {
            for (String table : tables(connection)) {
                inserts.put(
                        table,
                        connection.prepareStatement("INSERT INTO " + table
                                + " OVERRIDING SYSTEM VALUE SELECT * FROM json_populate_record(NULL::" + table
                                + ", ?::json)"));
            }
        }

        @Override
        public void accept(BackupEntry entry) {
            if (!(entry instanceof Row row)) {
                return;
            }
            PreparedStatement insert = inserts.get(row.table());
            if (insert == null) {
                throw new StartupException("the backup is damaged: it has an unknown table " + row.table(), null);
            }
            try {
                insert.setString(1, new String(row.json().array(), UTF_8));
                insert.addBatch();
                waiting++;
                if (waiting == ROWS_AT_ONCE) {
                    write();
                }
            } catch (SQLException e) {
                throw PostgresFaults.inService("restore a table", e);
            }
        }

        void write() throws SQLException {
            for (PreparedStatement insert : inserts.values()) {
                insert.executeBatch();
            }
            waiting = 0;
        }

        @Override
        public void close() throws SQLException {
            for (PreparedStatement insert : inserts.values()) {
                insert.close();
            }
        }
    }

    /** The next entry of the audit log gets an id above the restored ones. */
    private static void advanceIds(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            statement.execute("SELECT setval(pg_get_serial_sequence('audit_entry', 'id'), max(id)) FROM audit_entry");
        }
    }

    /** An earlier schema has fewer of them. */
    private static List<String> tables(Connection connection) throws SQLException {
        List<String> present = new ArrayList<>();
        try (PreparedStatement query = connection.prepareStatement("SELECT to_regclass(?) IS NOT NULL")) {
            for (String table : TABLES) {
                query.setString(1, table);
                try (ResultSet row = query.executeQuery()) {
                    if (row.next() && row.getBoolean(1)) {
                        present.add(table);
                    }
                }
            }
        }
        return present;
    }

    private static @Nullable UUID clusterId(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement()) {
            try (ResultSet tables = statement.executeQuery("SELECT to_regclass('cluster_identity') IS NOT NULL")) {
                if (!tables.next() || !tables.getBoolean(1)) {
                    return null;
                }
            }
            try (ResultSet rows = statement.executeQuery("SELECT cluster_id FROM cluster_identity")) {
                return rows.next() ? rows.getObject(1, UUID.class) : null;
            }
        }
    }

    private static String schema(Connection connection) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet versions = statement.executeQuery("SELECT version FROM flyway_schema_history"
                        + " WHERE success AND version IS NOT NULL ORDER BY installed_rank DESC LIMIT 1")) {
            if (!versions.next()) {
                throw new SQLException("the schema has no version");
            }
            return versions.getString(1);
        }
    }
}
