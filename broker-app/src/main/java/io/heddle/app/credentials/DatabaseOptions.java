package io.heddle.app.credentials;

import io.heddle.app.settings.StandaloneSettings;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.heddle.persistence.postgres.PostgresSettings;
import io.heddle.standalone.Endpoints;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.directory.DataDirectory;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.function.ToIntFunction;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/**
 * Options that select the database: the given PostgreSQL, else that of the broker that runs on the data directory. If none runs there, a
 * PostgreSQL is started on the data directory for the duration of the command.
 */
final class DatabaseOptions {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Map<String, String> ENVIRONMENT = System.getenv();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "data directory of the broker (default: ${DEFAULT-VALUE})",
            defaultValue = StandaloneSettings.DATA_DIR_OF_COMMANDS)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String dataDirectory;

    @Option(
            names = "--heddle.postgres.url",
            paramLabel = "URL",
            description = "URL of an external PostgreSQL; set its user and password with HEDDLE_POSTGRES_USER and"
                    + " HEDDLE_POSTGRES_PASSWORD")
    @Nullable
    String postgresUrl = ENVIRONMENT.get("HEDDLE_POSTGRES_URL");

    /**
     * Throws StartupException if the data directory has no database. Commands that need stored data call this, so that a mistyped directory
     * is not created.
     */
    void requireStored() {
        if (postgresUrl != null) {
            return;
        }
        Path directory = directory();
        if (Servers.runningEndpoints(directory).isEmpty() && !DataDirectory.hasDatabase(directory)) {
            throw new StartupException(
                    "no broker has kept its data in " + directory + " yet: give its data directory with --data-dir, or"
                            + " start a broker there first",
                    null);
        }
    }

    /** Returns the command-line option for this database, after a space; empty for the default. */
    String text() {
        return postgresUrl == null
                ? StandaloneSettings.of(dataDirectory).option()
                : " --heddle.postgres.url " + postgresUrl;
    }

    private Path directory() {
        return StandaloneSettings.of(dataDirectory).dataDirectory();
    }

    /** Opens the database, and creates it if necessary, for the duration of the action. */
    int with(ToIntFunction<PostgresDatabase> action) {
        String url = postgresUrl;
        if (url != null) {
            return with(
                    PostgresSettings.of(
                            url,
                            ENVIRONMENT.getOrDefault("HEDDLE_POSTGRES_USER", "heddle"),
                            ENVIRONMENT.getOrDefault("HEDDLE_POSTGRES_PASSWORD", "")),
                    action);
        }
        Path directory = directory();
        Endpoints running = Servers.runningEndpoints(directory).orElse(null);
        if (running != null) {
            return with(settings(running), action);
        }
        if (System.getProperty("heddle.standalone.home") == null) {
            // The launcher sets it, unless HEDDLE_STANDALONE is off.
            throw new StartupException(
                    "no PostgreSQL is named, and this command starts none, because HEDDLE_STANDALONE is off or there is none"
                            + " in this installation: set HEDDLE_POSTGRES_URL, or use --heddle.postgres.url; it does not read"
                            + " application.yaml",
                    null);
        }
        try (Servers servers =
                Servers.builder(directory).only(Server.POSTGRESQL).start()) {
            servers.awaitReady(READY_WITHIN);
            return with(settings(servers.endpoints()), action);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted", e);
        }
    }

    private static PostgresSettings settings(Endpoints endpoints) {
        return PostgresSettings.of(endpoints.postgresUrl(), endpoints.postgresUser(), endpoints.postgresPassword());
    }

    private static int with(PostgresSettings settings, ToIntFunction<PostgresDatabase> action) {
        try (PostgresDatabase database = PostgresDatabase.open(settings, new SimpleMeterRegistry())) {
            return action.applyAsInt(database);
        }
    }
}
