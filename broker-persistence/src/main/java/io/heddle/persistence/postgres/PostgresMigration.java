package io.heddle.persistence.postgres;

import io.heddle.core.lifecycle.StartupException;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Arrays;
import java.util.Comparator;
import java.util.Objects;
import javax.sql.DataSource;
import org.flywaydb.core.Flyway;
import org.flywaydb.core.api.FlywayException;
import org.flywaydb.core.api.MigrationInfo;
import org.flywaydb.core.api.MigrationInfoService;
import org.flywaydb.core.api.MigrationState;
import org.flywaydb.core.api.MigrationVersion;
import org.flywaydb.core.api.output.MigrateResult;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Migrates the database to this version's schema before the pool opens. Flyway's lock in the database serializes nodes that start
 * concurrently. A schema that a later Heddle has migrated is refused and left unchanged: only nodes that run already may use it, during
 * a rolling upgrade.
 */
final class PostgresMigration {
    private static final Logger log = LoggerFactory.getLogger(PostgresMigration.class);

    // The first version with NULLS NOT DISTINCT.
    private static final int OLDEST_VERSION = 15;

    private static final String LATEST = "latest";

    private final PostgresSettings settings;
    private final DataSource source;

    PostgresMigration(PostgresSettings settings, DataSource source) {
        this.settings = settings;
        this.source = source;
    }

    /** Migrates to the latest version. */
    void run() {
        run(LATEST);
    }

    /** Migrates to a version, or to the latest one before it. */
    void run(String target) {
        try (Connection connection = source.getConnection()) {
            checkVersion(connection.getMetaData().getDatabaseMajorVersion());
            checkWritable(connection);
            checkCanCreate(connection);
        } catch (SQLException e) {
            throw PostgresFaults.atStart(settings, e);
        }
        try {
            Flyway flyway = Flyway.configure(PostgresMigration.class.getClassLoader())
                    .dataSource(source)
                    .locations("classpath:db/migration")
                    .failOnMissingLocations(true)
                    .validateMigrationNaming(true)
                    .target(target)
                    .load();
            refuseLater(flyway.info());
            MigrateResult result = flyway.migrate();
            if (result.migrationsExecuted > 0) {
                log.info(
                        "Migrated the schema of PostgreSQL at {} to version {}",
                        settings.address(),
                        result.targetSchemaVersion);
            }
        } catch (FlywayException e) {
            throw explain(e);
        }
    }

    private void refuseLater(MigrationInfoService schema) {
        String latest = latest(schema.all());
        for (MigrationInfo applied : schema.applied()) {
            if (applied.getState() == MigrationState.FUTURE_SUCCESS) {
                throw new StartupException(
                        "PostgreSQL at " + settings.address() + " has a schema of version " + applied.getVersion()
                                + ", but this version of Heddle knows versions up to " + latest
                                + ": start the version of Heddle that migrated it or a later one, or restore a backup from"
                                + " before the upgrade",
                        null);
            }
        }
    }

    /** Returns the highest version that this version of Heddle knows. */
    private static String latest(MigrationInfo[] migrations) {
        return Arrays.stream(migrations)
                .filter(migration -> migration.getState() != MigrationState.FUTURE_SUCCESS)
                .map(MigrationInfo::getVersion)
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .map(MigrationVersion::toString)
                .orElse("none");
    }

    private void checkVersion(int version) {
        if (version < OLDEST_VERSION) {
            throw new StartupException(
                    "PostgreSQL at " + settings.address() + " is version " + version + ", but Heddle needs "
                            + OLDEST_VERSION + " or later: upgrade it, or point heddle.postgres.url at a newer one",
                    null);
        }
    }

    private void checkWritable(Connection connection) throws SQLException {
        if (isTrue(connection, "SELECT pg_is_in_recovery()")) {
            throw new StartupException(
                    "PostgreSQL at " + settings.address()
                            + " is a read-only replica: set heddle.postgres.url to its primary",
                    null);
        }
    }

    /** Fails at once, while Flyway would retry for some seconds. */
    private void checkCanCreate(Connection connection) throws SQLException {
        boolean empty = isTrue(connection, "SELECT to_regclass('flyway_schema_history') IS NULL");
        if (empty && !isTrue(connection, "SELECT has_schema_privilege(current_schema(), 'CREATE')")) {
            throw PostgresFaults.cannotCreateTables(settings, null);
        }
    }

    private static boolean isTrue(Connection connection, String question) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(question);
                ResultSet answer = statement.executeQuery()) {
            return answer.next() && answer.getBoolean(1);
        }
    }

    private StartupException explain(FlywayException fault) {
        for (@Nullable Throwable cause = fault.getCause(); cause != null; cause = cause.getCause()) {
            if (cause instanceof SQLException sql) {
                return PostgresFaults.atStart(settings, sql);
            }
        }
        return new StartupException(
                "PostgreSQL at " + settings.address()
                        + " has a schema that is incompatible with this version of Heddle ("
                        + String.valueOf(fault.getMessage()).lines().findFirst().orElse("no reason given")
                        + "): set heddle.postgres.url to Heddle's own database, or restore it from a backup",
                fault);
    }
}
