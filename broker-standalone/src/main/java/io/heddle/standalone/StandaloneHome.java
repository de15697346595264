package io.heddle.standalone;

import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/**
 * The folder with the servers' files as the build lays it out: Kafka's jars, and the Redis and PostgreSQL binaries of
 * every shipped platform. Only read, so several brokers may share one.
 */
public final class StandaloneHome {
    static final String PROPERTY = "heddle.standalone.home";
    static final String VARIABLE = "HEDDLE_STANDALONE_HOME";
    private static final String KAFKA_MAIN_JAR = "heddle-kafka-child.jar";

    private final Path directory;
    private final Properties servers;

    private StandaloneHome(Path directory, Properties servers) {
        this.directory = directory;
        this.servers = servers;
    }

    /**
     * The home named by the system property {@value PROPERTY}, else by the environment variable {@value VARIABLE}.
     * Throws StandaloneException.
     */
    public static StandaloneHome locate() {
        return locate(System.getProperty(PROPERTY), System.getenv(VARIABLE));
    }

    static StandaloneHome locate(@Nullable String property, @Nullable String variable) {
        String home = property == null || property.isBlank() ? variable : property;
        if (home == null || home.isBlank()) {
            throw new StandaloneException("Where Kafka, Redis and PostgreSQL are is not known: set the system property "
                    + PROPERTY + " or the environment variable " + VARIABLE
                    + " to the distribution's folder lib/standalone, or " + StandaloneException.EXTERNAL_SERVERS + ".");
        }
        return at(Path.of(home));
    }

    /** The home at the given folder. Throws StandaloneException when it is none. */
    public static StandaloneHome at(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        Path list = absolute.resolve("servers.properties");
        Properties servers = new Properties();
        try (Reader reader = Files.newBufferedReader(list)) {
            servers.load(reader);
        } catch (IOException e) {
            throw incomplete(absolute, "servers.properties", e);
        }
        if (!Files.isRegularFile(absolute.resolve("kafka").resolve(KAFKA_MAIN_JAR))) {
            throw incomplete(absolute, "kafka/" + KAFKA_MAIN_JAR, null);
        }
        return new StandaloneHome(absolute, servers);
    }

    public Path directory() {
        return directory;
    }

    /** The Kafka child's whole class path, in the form that the JVM expands itself. */
    String kafkaClassPath() {
        return directory.resolve("kafka") + "/*";
    }

    /** Further options for the Kafka child's JVM, one in each line; null when there are none. */
    @Nullable
    Path kafkaOptions() {
        Path options = directory.resolve("kafka.options");
        return Files.isRegularFile(options) ? options : null;
    }

    /** The redis-server executable of that platform. */
    Path redis(Platform platform) {
        return file("redis", platform);
    }

    /** The version of {@link #redis}. */
    RedisVersion redisVersion(Platform platform) {
        RedisVersion version = RedisVersion.ofFile(redis(platform).getFileName().toString());
        if (version == null) {
            throw incomplete(directory, "the version in the name of " + redis(platform), null);
        }
        return version;
    }

    /** The tar.gz with PostgreSQL's bin, lib and share of that platform. */
    Path postgresql(Platform platform) {
        return file("postgresql", platform);
    }

    private Path file(String server, Platform platform) {
        String key = server + "." + platform.label();
        String name = servers.getProperty(key, key);
        Path file = directory.resolve(name);
        if (!Files.isRegularFile(file)) {
            throw incomplete(directory, name, null);
        }
        return file;
    }

    private static StandaloneException incomplete(Path directory, String missing, @Nullable IOException cause) {
        return new StandaloneException(
                directory + " is not a folder with Kafka, Redis and PostgreSQL (" + missing
                        + " is missing): set the system property " + PROPERTY + " or the environment variable "
                        + VARIABLE
                        + " to the distribution's folder lib/standalone, or build again.",
                cause);
    }
}
