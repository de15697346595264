package io.heddle.app.local;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.standalone.directory.DamagedFileException;
import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.process.ProcessIdentity;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Properties;

/**
 * The brokers that run on a data directory: each leaves a file with its HTTP address, the nodes of {@code ./heddle --nodes} in the same
 * directory. A file is valid while the process that wrote it runs. Thread-safe.
 */
public final class LocalBrokers {
    private static final String FILES = "http-*.properties";
    private static final String URL = "url";
    private static final String NODE = "node";
    private static final String PROCESS = "process";

    private final Path directory;

    /** @param dataDirectory need not exist */
    public LocalBrokers(Path dataDirectory) {
        directory = dataDirectory.resolve("run");
    }

    /** Writes the file of this process, and removes those of processes that have ended without doing so. */
    void announce(String nodeId, String url) throws IOException {
        PrivateFiles.createDirectories(directory);
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FILES)) {
            for (Path file : files) {
                if (!isRunning(read(file))) {
                    Files.deleteIfExists(file);
                }
            }
        }
        Properties properties = new Properties();
        properties.setProperty(NODE, nodeId);
        properties.setProperty(URL, url);
        ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid());
        if (self != null) {
            properties.setProperty(PROCESS, self.toString());
        }
        PrivateFiles.write(own(), properties);
    }

    /** Removes the file of this process, if there is one. */
    void withdraw() throws IOException {
        Files.deleteIfExists(own());
    }

    private Path own() {
        return directory.resolve("http-" + ProcessHandle.current().pid() + ".properties");
    }

    /** Empty if another process has just removed the file, or if it is damaged. */
    private static Properties read(Path file) throws IOException {
        try {
            return PrivateFiles.read(file);
        } catch (NoSuchFileException | DamagedFileException noAddress) {
            return new Properties();
        }
    }

    private static boolean isRunning(Properties properties) {
        ProcessIdentity identity = ProcessIdentity.parse(properties.getProperty(PROCESS));
        return identity != null && identity.isAlive();
    }

    /**
     * Returns the brokers that have left an address: first those that run, by node id.
     *
     * @throws StartupException if the directory cannot be read
     */
    public List<LocalBroker> all() {
        List<LocalBroker> brokers = new ArrayList<>();
        try (DirectoryStream<Path> files = Files.newDirectoryStream(directory, FILES)) {
            for (Path file : files) {
                Properties properties = read(file);
                String url = properties.getProperty(URL);
                if (url != null) {
                    brokers.add(new LocalBroker(properties.getProperty(NODE, ""), url, isRunning(properties)));
                }
            }
        } catch (NoSuchFileException noBrokerYet) {
            return brokers;
        } catch (IOException e) {
            throw new StartupException(
                    "the addresses of the brokers in " + directory
                            + " cannot be read: run the command as the user who runs the broker, or name its address"
                            + " with --url",
                    e);
        }
        brokers.sort(Comparator.comparing(LocalBroker::isRunning).reversed().thenComparing(LocalBroker::nodeId));
        return brokers;
    }
}
