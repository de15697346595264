package io.heddle.app.credentials;

import io.heddle.app.settings.StandaloneSettings;
import io.heddle.app.start.StoresOfCommand;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.heddle.standalone.Server;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that select the database. Without them it is the one of a broker with the same environment and configuration files: the
 * PostgreSQL that they name, else that of the broker that runs on the data directory. If none runs there, a PostgreSQL is started on the
 * data directory for the duration of the command.
 */
final class DatabaseOptions {
    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "data directory of the broker (default: heddle.standalone.data-dir of the environment or of"
                    + " application.yaml, or else " + StandaloneSettings.DEFAULT_DATA_DIR + ")")
    private @Nullable String dataDirectory;

    @Option(
            names = "--heddle.postgres.url",
            paramLabel = "URL",
            description = "URL of a PostgreSQL of your own; set its user and password in application.yaml, or with"
                    + " HEDDLE_POSTGRES_USER and HEDDLE_POSTGRES_PASSWORD")
    private @Nullable String postgresUrl;

    /** Returns the command-line options for this database, after a space; empty without options. */
    String text() {
        return (dataDirectory == null
                        ? ""
                        : StandaloneSettings.of(dataDirectory).option())
                + (postgresUrl == null ? "" : " --heddle.postgres.url " + postgresUrl);
    }

    /**
     * Opens the database, and creates it if necessary, for the duration of the action.
     *
     * @throws StartupException if the database cannot be used
     */
    int with(ToIntFunction<PostgresDatabase> action) {
        return with(false, action);
    }

    /**
     * Opens the database for the duration of the action. For commands that need stored data.
     *
     * @throws StartupException if the database cannot be used, or if the data directory has none: a directory whose name is mistyped is
     *     not created
     */
    int withStored(ToIntFunction<PostgresDatabase> action) {
        return with(true, action);
    }

    private int with(boolean mustExist, ToIntFunction<PostgresDatabase> action) {
        try (StoresOfCommand stores = StoresOfCommand.open(settings(), mustExist, Set.of(Server.POSTGRESQL));
                PostgresDatabase database = PostgresDatabase.open(
                        stores.settings().postgres().toPostgresSettings(), new SimpleMeterRegistry())) {
            return action.applyAsInt(database);
        }
    }

    private List<String> settings() {
        List<String> settings = new ArrayList<>();
        if (dataDirectory != null) {
            settings.addAll(List.of("--data-dir", dataDirectory));
        }
        if (postgresUrl != null) {
            settings.add("--heddle.postgres.url=" + postgresUrl);
        }
        return settings;
    }
}
