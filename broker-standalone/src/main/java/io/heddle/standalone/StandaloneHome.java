package io.heddle.standalone;

import io.heddle.standalone.directory.StandaloneException;
import java.io.File;
import java.io.IOException;
import java.io.Reader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Properties;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * The folder with the servers' files, created by the build: Kafka's jars, and the Redis and PostgreSQL binaries for each platform. Heddle
 * only reads it, so that several brokers can share one.
 */
public final class StandaloneHome {
    static final String PROPERTY = "heddle.standalone.home";
    static final String VARIABLE = "HEDDLE_STANDALONE_HOME";
    /** Names the AOT cache that the Kafka child creates when it exits. */
    static final String KAFKA_CACHE_OUTPUT = "heddle.standalone.kafka-cache-output";

    private static final String KAFKA_MAIN_JAR = "heddle-kafka-child.jar";

    private final Path directory;
    private final Properties servers;

    private StandaloneHome(Path directory, Properties servers) {
        this.directory = directory;
        this.servers = servers;
    }

    /**
     * The home in the system property {@value PROPERTY}, else in the environment variable {@value VARIABLE}. Throws StandaloneException if
     * there is none.
     */
    public static StandaloneHome locate() {
        return locate(System.getProperty(PROPERTY), System.getenv(VARIABLE));
    }

    static StandaloneHome locate(@Nullable String property, @Nullable String variable) {
        String home = property == null || property.isBlank() ? variable : property;
        if (home == null || home.isBlank()) {
            throw new StandaloneException(
                    "The folder with Kafka, Redis and PostgreSQL is not set: set the system property "
                            + PROPERTY + " or the environment variable " + VARIABLE
                            + " to the distribution's folder lib/standalone, or " + StandaloneException.EXTERNAL_SERVERS
                            + ".");
        }
        return at(Path.of(home));
    }

    /** The home at this path. Throws StandaloneException if it is incomplete. */
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

    /**
     * The class path of the Kafka child, in the order of the names. With a wildcard, Java would follow the order of the directory, which differs
     * between file systems; the AOT cache fits only the class path of its training run.
     */
    String kafkaClassPath() {
        Path kafka = directory.resolve("kafka");
        try (Stream<Path> files = Files.list(kafka)) {
            return files.filter(file -> file.toString().endsWith(".jar"))
                    .sorted()
                    .map(Path::toString)
                    .collect(Collectors.joining(File.pathSeparator));
        } catch (IOException e) {
            throw incomplete(directory, "kafka", e);
        }
    }

    /**
     * The JVM options for the collector and the AOT cache of the Kafka child: to create the cache in a training run, else to use it if it
     * exists. The serial collector takes 35 MB less than G1 in an idle Kafka, whose heap is at most 512 MB. But only G1 writes objects into a
     * cache; all collectors can read them.
     */
    List<String> kafkaStartCacheOptions() {
        String output = System.getProperty(KAFKA_CACHE_OUTPUT);
        if (output != null) {
            return List.of("-XX:+UseG1GC", "-XX:AOTCacheOutput=" + output);
        }
        Path cache = directory.resolve("kafka.aot");
        // A cache that does not fit the JDK is ignored, without a warning in Kafka's log.
        return Files.isRegularFile(cache)
                ? List.of("-XX:+UseSerialGC", "-XX:AOTCache=" + cache, "-Xlog:aot*=off")
                : List.of("-XX:+UseSerialGC");
    }

    /** The redis-server executable for the platform. */
    Path redis(Platform platform) {
        return file("redis", platform);
    }

    RedisVersion redisVersion(Platform platform) {
        RedisVersion version = RedisVersion.ofFile(redis(platform).getFileName().toString());
        if (version == null) {
            throw incomplete(directory, "the version in the name of " + redis(platform), null);
        }
        return version;
    }

    /** The tar.gz with PostgreSQL's bin, lib and share for the platform. */
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
