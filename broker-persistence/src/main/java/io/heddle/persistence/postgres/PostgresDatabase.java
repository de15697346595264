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
import org.jspecify.annotations.Nullable;
import org.postgresql.ds.PGSimpleDataSource;

/**
 * The pool of connections to PostgreSQL. Thread-safe; every call may block, so virtual threads only, and the one that
 * writes sessions. Bounded by {@link PostgresSettings#poolSize()} connections, by the connect timeout for a free one
 * and by the query timeout for an answer.
 *
 * <p>Metrics: HikariCP's own ({@code hikaricp.*}, pool {@code heddle-postgres}) and {@code heddle.store.check{store="postgres"}}.
 */
public final class PostgresDatabase implements AutoCloseable {
    private final HikariDataSource pool;
    private final StoreCheck check;

    private PostgresDatabase(HikariDataSource pool, MeterRegistry registry) {
        this.pool = pool;
        this.check = new StoreCheck("postgres", registry);
    }

    /**
     * Connects, brings the schema up to date and opens the pool.
     *
     * @throws StartupException when that is not possible: says what to change
     */
    public static PostgresDatabase open(PostgresSettings settings, MeterRegistry registry) {
        PGSimpleDataSource source = settings.dataSource();
        new PostgresMigration(settings, source).run();
        // From here on only short statements; a migration may take its time.
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
            return new PostgresDatabase(new HikariDataSource(config), registry);
        } catch (PoolInitializationException e) {
            throw e.getCause() instanceof SQLException sql ? PostgresFaults.atStart(settings, sql) : e;
        }
    }

    /**
     * Asks the database for a sign of life.
     *
     * @throws io.heddle.core.StoreUnavailableException when there is none
     */
    public void check() {
        check.run(() -> call("check that it is alive", connection -> {
            try (Statement statement = connection.createStatement()) {
                return statement.execute("SELECT 1");
            }
        }));
    }

    /**
     * Runs SQL on a connection of the pool, each statement on its own.
     *
     * @param what what is done, as "find credentials", for the exceptions
     * @throws io.heddle.core.StoreUnavailableException when the database does not answer
     * @throws PostgresException when it answers no
     */
    <T extends @Nullable Object> T call(String what, Work<T> work) {
        try (Connection connection = pool.getConnection()) {
            return work.on(connection);
        } catch (SQLException e) {
            throw PostgresFaults.inService(what, e);
        }
    }

    /** As {@link #call}, but all or nothing. */
    <T extends @Nullable Object> T inTransaction(String what, Work<T> work) {
        return call(what, connection -> {
            connection.setAutoCommit(false);
            T result = work.on(connection);
            connection.commit();
            // What was not committed the pool rolls back, and it restores auto-commit, when the connection returns to
            // it.
            return result;
        });
    }

    /** Closes all connections; those in use when they are returned. */
    @Override
    public void close() {
        pool.close();
    }

    /** What is done with a borrowed connection. */
    @FunctionalInterface
    interface Work<T extends @Nullable Object> {
        T on(Connection connection) throws SQLException;
    }
}
