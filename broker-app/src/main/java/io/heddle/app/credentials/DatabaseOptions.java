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
 * Where the credentials are: in the PostgreSQL that was named, else in that of the broker that runs on the data directory,
 * else in one that is started on the data directory for as long as the command takes.
 */
final class DatabaseOptions {
    private static final Duration READY_WITHIN = Duration.ofSeconds(60);
    private static final Map<String, String> ENVIRONMENT = System.getenv();

    @Option(
            names = "--data-dir",
            paramLabel = "DIR",
            description = "the broker's data directory (default: ${DEFAULT-VALUE})",
            defaultValue = StandaloneSettings.DEFAULT_DATA_DIR)
    @SuppressWarnings("NullAway.Init") // Set by picocli before the command runs.
    private String dataDirectory;

    @Option(
            names = "--heddle.postgres.url",
            paramLabel = "URL",
            description = "a PostgreSQL of your own; its user and password come from HEDDLE_POSTGRES_USER and"
                    + " HEDDLE_POSTGRES_PASSWORD")
    @Nullable
    String postgresUrl = ENVIRONMENT.get("HEDDLE_POSTGRES_URL");

    /**
     * For what only makes sense where something is stored, so that a directory mistyped is not made, and taken for an empty one.
     * Throws StartupException when the data directory has no database yet.
     */
    void requireStored() {
        if (postgresUrl != null) {
            return;
        }
        Path directory = directory();
        if (Servers.runningEndpoints(directory).isEmpty() && !DataDirectory.hasDatabase(directory)) {
            throw new StartupException(
                    "no broker has kept its data in " + directory + " yet: name the data directory of one with"
                            + " --data-dir, or start it there first",
                    null);
        }
    }

    /** The option that names the same database to another command, with a blank before it; empty for the default. */
    String text() {
        return postgresUrl == null
                ? StandaloneSettings.of(dataDirectory).option()
                : " --heddle.postgres.url " + postgresUrl;
    }

    private Path directory() {
        return StandaloneSettings.of(dataDirectory).dataDirectory();
    }

    /** Opens the database, which is made if need be, does something with it and closes it. */
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
