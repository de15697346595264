package io.heddle.standalone;

import io.heddle.standalone.directory.DamagedFileException;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.directory.WriteErrorMessage;
import io.heddle.standalone.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.Properties;
import org.jspecify.annotations.Nullable;

/** The file in a data directory that tells other processes the endpoints of the running servers. It is valid while its writer lives. */
final class EndpointsFile {
    private static final String NAME = "endpoints.properties";
    private static final String OWNER_KEY = "broker.process";

    private final Path file;

    EndpointsFile(Path dataDirectory) {
        this.file = dataDirectory.resolve(NAME);
    }

    /** Writes the endpoints, with this process as the owner of the servers. */
    void write(Endpoints endpoints) throws IOException {
        Properties properties = toProperties(endpoints);
        ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid());
        if (self != null) {
            properties.setProperty(OWNER_KEY, self.toString());
        }
        PrivateFiles.write(file, properties);
    }

    void delete() throws IOException {
        Files.deleteIfExists(file);
    }

    /** Empty if there is no file or its owner has ended. Throws StandaloneException if the file cannot be read. */
    Optional<Endpoints> read() {
        try {
            Properties properties = PrivateFiles.read(file);
            ProcessIdentity owner = ProcessIdentity.parse(properties.getProperty(OWNER_KEY));
            return owner != null && owner.isAlive()
                    ? Optional.ofNullable(fromProperties(properties))
                    : Optional.empty();
        } catch (DamagedFileException e) {
            throw new StandaloneException(
                    "The file " + file + ", which holds the endpoints of the running servers, is damaged ("
                            + e.getMessage() + "): stop the broker that uses the directory, if one runs, and delete the"
                            + " file.",
                    e);
        } catch (IOException e) {
            throw new StandaloneException(
                    "The endpoints of the running servers cannot be read from " + file + " ("
                            + WriteErrorMessage.reason(e, file)
                            + "): run this command as the user who runs the broker, or name another directory with"
                            + " --data-dir.",
                    e);
        }
    }

    static Properties toProperties(Endpoints endpoints) {
        Properties properties = new Properties();
        properties.setProperty("kafka", endpoints.kafkaBootstrapServers());
        properties.setProperty("kafka.password", endpoints.kafkaPassword());
        properties.setProperty("redis", endpoints.redisUrl());
        properties.setProperty("postgresql.url", endpoints.postgresUrl());
        properties.setProperty("postgresql.user", endpoints.postgresUser());
        properties.setProperty("postgresql.password", endpoints.postgresPassword());
        return properties;
    }

    /** Null if a property is missing. */
    static @Nullable Endpoints fromProperties(Properties properties) {
        String kafka = properties.getProperty("kafka");
        String kafkaPassword = properties.getProperty("kafka.password");
        String redis = properties.getProperty("redis");
        String url = properties.getProperty("postgresql.url");
        String user = properties.getProperty("postgresql.user");
        String password = properties.getProperty("postgresql.password");
        if (kafka == null
                || kafkaPassword == null
                || redis == null
                || url == null
                || user == null
                || password == null) {
            return null;
        }
        return new Endpoints(kafka, kafkaPassword, redis, url, user, password);
    }
}
