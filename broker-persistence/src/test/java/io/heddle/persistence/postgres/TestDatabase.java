package io.heddle.persistence.postgres;

import io.heddle.persistence.TestSettings;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;

/** A database for one test class, dropped at the end. The test server's user must have the privilege to create databases. */
final class TestDatabase implements AutoCloseable {
    private final Endpoints endpoints = TestServers.shared();
    private final String name = "heddle_test_" + UUID.randomUUID().toString().replace("-", "");

    private final List<PostgresDatabase> opened = new ArrayList<>();

    private TestDatabase() {}

    static TestDatabase create() {
        TestDatabase database = new TestDatabase();
        execute(database.endpoints.postgresUrl(), database.endpoints, "CREATE DATABASE " + database.name);
        return database;
    }

    String name() {
        return name;
    }

    /** Returns the settings to connect to this database as its owner. */
    PostgresSettings settings() {
        return TestSettings.postgres(url(name), endpoints.postgresUser(), endpoints.postgresPassword());
    }

    /** Opens this database until the end, with metrics of its own. */
    PostgresDatabase open() {
        PostgresDatabase database = PostgresDatabase.open(settings(), new SimpleMeterRegistry());
        opened.add(database);
        return database;
    }

    /** Returns the URL of another database on the same server. */
    String url(String database) {
        String shared = endpoints.postgresUrl();
        return shared.substring(0, shared.lastIndexOf('/') + 1) + database;
    }

    /** Runs SQL as the owner, outside the code under test. */
    void execute(String sql) {
        execute(url(name), endpoints, sql);
    }

    /** Returns how PostgreSQL runs a statement with parameters. */
    static String plan(PostgresDatabase database, String sql, List<Object> values) {
        return String.join(
                "\n",
                database.query("explain a statement", "EXPLAIN " + sql, row -> row.getString(1), values.toArray()));
    }

    @Override
    public void close() {
        opened.forEach(PostgresDatabase::close);
        execute(endpoints.postgresUrl(), endpoints, "DROP DATABASE " + name + " WITH (FORCE)");
    }

    private static void execute(String url, Endpoints endpoints, String sql) {
        try (Connection connection =
                        DriverManager.getConnection(url, endpoints.postgresUser(), endpoints.postgresPassword());
                Statement statement = connection.createStatement()) {
            statement.execute(sql);
        } catch (SQLException e) {
            throw new IllegalStateException(sql, e);
        }
    }
}
