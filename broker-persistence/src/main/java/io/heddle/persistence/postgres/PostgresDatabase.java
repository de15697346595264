package io.heddle.persistence.postgres;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.metrics.micrometer.MicrometerMetricsTrackerFactory;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.StoreCheck;
import io.micrometer.core.instrument.MeterRegistry;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
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
}
