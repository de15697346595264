package io.heddle.persistence.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.StoreCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Instant;
import java.time.ZoneOffset;
import java.util.ArrayList;
import java.util.List;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The pool of connections to PostgreSQL. Thread-safe. Every call may block, so only virtual threads, the writer of sessions and the watch for
 * takeovers may call.
 * Bounded by {@link PostgresSettings#poolSize()} connections, the connect timeout for an idle connection, and the query timeout for an
 * answer.
 *
 * <p>Metrics: HikariCP's own ({@code hikaricp.*}, pool {@code heddle-postgres}) and {@code heddle.store.check{store="postgresql"}}.
 */
public final class PostgresDatabase implements AutoCloseable {
    private final HikariDataSource pool;
    private final DataSource source;
    private final StoreCheck check;

    private PostgresDatabase(HikariDataSource pool, DataSource source, MeterRegistry registry) {
        this.pool = pool;
        this.source = source;
        this.check = new StoreCheck("postgresql", registry);
    }

    /**
     * Connects, migrates the schema and opens the pool.
     *
     * @throws StartupException when the database is not usable; its message tells the operator what to change
     */
    public static PostgresDatabase open(PostgresSettings settings, MeterRegistry registry) {
        PGSimpleDataSource source = settings.dataSource();
        new PostgresMigration(settings, source).run();
        // Limits statements in service; a migration may take longer.
        source.setSocketTimeout(Math.toIntExact(settings.queryTimeout().toSeconds()));

        HikariConfig config = new HikariConfig();
        config.setPoolName("heddle-postgres");
        config.setDataSource(source);
        config.setMaximumPoolSize(settings.poolSize());
        config.setMinimumIdle(1);
        config.setConnectionTimeout(settings.connectTimeout().toMillis());
        config.setValidationTimeout(settings.connectTimeout().toMillis());
        config.setMetricsTrackerFactory(new MicrometerMetricsTrackerFactory(registry));
        try {
            return new PostgresDatabase(new HikariDataSource(config), source, registry);
        } catch (PoolInitializationException e) {
            throw e.getCause() instanceof SQLException sql ? PostgresFaults.atStart(settings, sql) : e;
        }
    }

    /**
     * Checks that the database answers.
     *
     * @throws io.heddle.core.StoreUnavailableException when it does not
     */
    public void check() {
        check.run(() -> call("run the health check", connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute("SELECT 1");
            }
        }));
    }

    /**
     * Runs SQL on a connection of the pool, with automatic commit of each statement.
     *
     * @param action the operation for messages, such as "find credentials"
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     * @throws PostgresException when the database rejects a statement
     */
    <T extends @Nullable Object> T call(String action, Work<T> work) {
        try (Connection connection = pool.getConnection()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw PostgresFaults.inService(action, e);
        }
    }

    /** Runs SQL like {@link #call}, but in one transaction. */
    <T extends @Nullable Object> T inTransaction(String action, Work<T> work) {
        return call(action, connection -> {
            connection.setAutoCommit(false);
            T result = work.on(connection);
            connection.commit();
            // When the connection returns to the pool, the pool rolls back uncommitted changes and restores
            // auto-commit.
            return result;
        });
    }

    /** Runs a statement like {@link #call}, and returns the number of rows that it has changed. */
    int update(String action, String sql, @Nullable Object... values) {
        return call(action, connection -> update(connection, sql, values));
    }

    /** Runs a query like {@link #call}, and returns its first row, or null if it has none. */
    <T> @Nullable T first(String action, String sql, Row<T> row, @Nullable Object... values) {
        List<T> rows = query(action, sql, row, values);
        return rows.isEmpty() ? null : rows.getFirst();
    }

    /** Runs a query like {@link #call}, and returns its rows. */
    <T> List<T> query(String action, String sql, Row<T> row, @Nullable Object... values) {
        return call(action, connection -> query(connection, sql, row, values));
    }

    /** Like {@link #update(String, String, Object...)}, on a connection of {@link #call} or {@link #inTransaction}. */
    static int update(Connection connection, String sql, @Nullable Object... values) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            return statement.executeUpdate();
        }
    }

    /** Like {@link #query(String, String, Row, Object...)}, on a connection of {@link #call} or {@link #inTransaction}. */
    static <T> List<T> query(Connection connection, String sql, Row<T> row, @Nullable Object... values)
            throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            bind(statement, values);
            try (ResultSet rows = statement.executeQuery()) {
                List<T> found = new ArrayList<>();
                while (rows.next()) {
                    found.add(row.read(rows));
                }
                return found;
            }
        }
    }

    /** Sets the parameters: what {@link PreparedStatement#setObject(int, Object)} accepts, and instants. */
    private static void bind(PreparedStatement statement, @Nullable Object... values) throws SQLException {
        for (int i = 0; i < values.length; i++) {
            statement.setObject(i + 1, values[i] instanceof Instant time ? time.atOffset(ZoneOffset.UTC) : values[i]);
        }
    }

    /** Opens a connection outside the pool, for a caller that keeps it and closes it. */
    Connection connect() throws SQLException {
        return source.getConnection();
    }

    /** Closes all connections of the pool; connections in use are closed when they are returned. */
    @Override
    public void close() {
        pool.close();
    }

    /** An operation on a borrowed connection. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }

    /** Reads the row at which a result stands. */
    @FunctionalInterface
    interface Row<T> {
        T read(ResultSet row) throws SQLException;
    }
}
