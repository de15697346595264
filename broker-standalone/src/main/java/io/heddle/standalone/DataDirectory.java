package io.heddle.standalone;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * The one directory under which the servers keep everything: data, logs, unpacked binaries, passwords, ports.
 *
 * <p>Open while locked; a second broker is refused. The kernel releases the lock with the process, whatever ends it.
 */
public final class DataDirectory implements AutoCloseable {
    private static final String LOCK = "lock";
    private static final String ENDPOINTS = "endpoints.properties";
    private static final String OWNER_KEY = "broker.process";

    /**
     * What this JVM holds. Closing any channel of a file drops the process's lock on it, so a second open must be
     * refused before it opens one.
     */
    private static final Set<Path> HELD = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /** Creates the directory if need be and locks it. Throws StandaloneException when it cannot be written or another broker has it. */
    public static DataDirectory open(Path directory) {
        Path path = create(directory);
        Path file = path.resolve(LOCK);
        if (!HELD.add(path)) {
            throw taken(path, Long.toString(ProcessHandle.current().pid()), "this process");
        }
        boolean locked = false;
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                locked = lock(path, file, channel);
            } finally {
                if (!locked) {
                    channel.close();
                }
            }
            return new DataDirectory(path, channel);
        } catch (IOException e) {
            throw unwritable(path, e);
        } finally {
            if (!locked) {
                HELD.remove(path);
            }
        }
    }

    private static boolean lock(Path path, Path file, FileChannel channel) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock == null) {
            throw taken(path, Files.readString(file).strip(), "another broker");
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return lock.isValid();
    }

    private static Path create(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        try {
            PrivateFiles.createDirectories(absolute);
            return absolute.toRealPath();
        } catch (IOException e) {
            throw unwritable(absolute, e);
        }
    }

    /** Where it is, absolute. */
    public Path path() {
        return path;
    }

    /**
     * The servers that a broker in any process runs on this data directory right now. Empty when none does. Does not
     * take the lock.
     */
    public static Optional<Endpoints> runningEndpoints(Path directory) {
        Path file = directory.resolve(ENDPOINTS);
        try {
            Properties properties = PrivateFiles.read(file);
            ProcessIdentity owner = ProcessIdentity.parse(properties.getProperty(OWNER_KEY));
            return owner != null && owner.isAlive()
                    ? Optional.ofNullable(Endpoints.fromProperties(properties))
                    : Optional.empty();
        } catch (IOException e) {
            throw new StandaloneException(
                    "Where the running servers are cannot be read from " + file + " (" + e
                            + "): run this as the user who runs the broker, or name another directory with --data-dir.",
                    e);
        }
    }

    /** Tells other processes where the servers are, until {@link #withdrawEndpoints} or this process's end. */
    void publish(Endpoints endpoints) throws IOException {
        Properties properties = endpoints.toProperties();
        ProcessIdentity self = ProcessIdentity.of(ProcessHandle.current().pid());
        if (self != null) {
            properties.setProperty(OWNER_KEY, self.toString());
        }
        PrivateFiles.write(path.resolve(ENDPOINTS), properties);
    }

    void withdrawEndpoints() throws IOException {
        Files.deleteIfExists(path.resolve(ENDPOINTS));
    }

    /** Creates a folder inside, if need be. */
    Path directory(String first, String... more) throws IOException {
        Path directory = path.resolve(Path.of(first, more));
        PrivateFiles.createDirectories(directory);
        return directory;
    }

    /** Releases the lock. */
    @Override
    public void close() {
        try {
            channel.close();
        } catch (IOException e) {
            throw new StandaloneException("The lock of the data directory " + path + " cannot be released: " + e, e);
        } finally {
            HELD.remove(path);
        }
    }

    private static StandaloneException taken(Path path, String pid, String holder) {
        return new StandaloneException("The data directory " + path + " is in use by " + holder + " (pid " + pid
                + "): stop that one, or name another directory with --data-dir (heddle.standalone.data-dir).");
    }

    private static StandaloneException unwritable(Path path, @Nullable IOException cause) {
        return new StandaloneException(
                "The data directory " + path + " cannot be written (" + cause
                        + "): make it writable, or name another one with --data-dir (heddle.standalone.data-dir).",
                cause);
    }
}
