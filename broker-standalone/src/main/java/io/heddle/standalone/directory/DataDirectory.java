package io.heddle.standalone.directory;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The directory below which the servers keep everything: data, logs, unpacked binaries, passwords, ports.
 *
 * <p>An open directory is locked, and a second broker is rejected. The kernel releases the lock when the process ends for any reason.
 */
public final class DataDirectory implements AutoCloseable {
    /** The file with the secrets of the servers. */
    public static final String SECRETS = "secrets.properties";

    public static final String LOG_FOLDER = "log";

    static final String LOCK = "lock";

    static final String FORMAT_FILE = "format";

    /** Rises when a build, or one of its servers, writes data into the directory that earlier ones cannot read. */
    static final int FORMAT = 1;

    static final String POSTGRESQL = "postgresql";

    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final Set<PosixFilePermission> ACCESS_FOR_OTHERS = PosixFilePermissions.fromString("---rw-rw-");

    /**
     * Directories that this JVM has locked. Closing any channel of a file releases the process's lock on that file, so a second open is
     * rejected before it opens a channel.
     */
    private static final Set<Path> LOCKED = ConcurrentHashMap.newKeySet();

    private final Path path;
    private final FileChannel channel;

    private DataDirectory(Path path, FileChannel channel) {
        this.path = path;
        this.channel = channel;
    }

    /**
     * Creates the directory if necessary, and locks it. Throws StandaloneException if it cannot be written, another broker has locked it,
     * or it belongs to another user or program, or to another build with another format.
     */
    public static DataDirectory open(Path directory) {
        Path path = create(directory);
        Path file = path.resolve(LOCK);
        if (!LOCKED.add(path)) {
            throw inUse(path, Long.toString(ProcessHandle.current().pid()), "this process");
        }
        boolean locked = false;
        try {
            FileChannel channel = FileChannel.open(
                    file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
            try {
                boolean valid = lock(path, file, channel);
                PrivateFiles.write(path.resolve(FORMAT_FILE), FORMAT + "\n");
                locked = valid;
            } finally {
                if (!locked) {
                    channel.close();
                }
            }
            return new DataDirectory(path, channel);
        } catch (IOException e) {
            throw WriteErrorMessage.unwritable(path, e);
        } finally {
            if (!locked) {
                LOCKED.remove(path);
            }
        }
    }

    private static boolean lock(Path path, Path file, FileChannel channel) throws IOException {
        FileLock lock = channel.tryLock();
        if (lock == null) {
            throw inUse(path, Files.readString(file).strip(), "another broker");
        }
        channel.truncate(0);
        channel.write(
                ByteBuffer.wrap(Long.toString(ProcessHandle.current().pid()).getBytes(StandardCharsets.US_ASCII)));
        return lock.isValid();
    }

    private static Path create(Path directory) {
        Path absolute = absolute(directory);
        DirectoryCheck.requireUsable(absolute);
        try {
            PrivateFiles.createDirectories(absolute);
            Path real = absolute.toRealPath();
            DirectoryCheck.requireUsableName(real);
            String warning = closeToOthers(real, DirectoryCheck.isShared(real), Files::setPosixFilePermissions);
            if (warning != null) {
                LOG.warn("{}", warning);
            }
            return real;
        } catch (IOException e) {
            throw WriteErrorMessage.unwritable(absolute, e);
        }
    }

    @FunctionalInterface
    interface ModeChange {
        void apply(Path directory, Set<PosixFilePermission> mode) throws IOException;
    }

    /**
     * Removes the access of other users to a directory that was created by hand.
     *
     * @param shared whether the directory holds files that are not Heddle's; its mode is then left unchanged
     * @return a warning for the operator if other users still have access, else null
     */
    static @Nullable String closeToOthers(Path directory, boolean shared, ModeChange change) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
        if (Collections.disjoint(mode, ACCESS_FOR_OTHERS)) {
            return null;
        }
        if (shared) {
            return accessWarning(directory, mode, "it holds files that are not Heddle's, so its mode is unchanged");
        }
        try {
            change.apply(directory, PrivateFiles.FOR_OWNER);
            return null;
        } catch (FileSystemException e) {
            String reason = WriteErrorMessage.reason(e, directory);
            return accessWarning(directory, mode, "this user may not change its mode (" + reason + ")");
        }
    }

    private static String accessWarning(Path directory, Set<PosixFilePermission> mode, String reason)
            throws IOException {
        return "The data directory " + directory + " of user " + Files.getOwner(directory)
                + " may be read or written by other users (mode " + PosixFilePermissions.toString(mode) + "), and "
                + reason + ": chmod 700 it, or name another directory with --data-dir";
    }

    /** Throws StandaloneException if {@link #open} would reject the directory, except for its lock. Changes nothing. */
    public static void requireUsable(Path directory) {
        DirectoryCheck.requireUsable(absolute(directory));
    }

    /**
     * Whether a broker or a credentials command has created a database in the directory. Throws StandaloneException if the directory is not
     * Heddle's. Changes nothing.
     */
    public static boolean hasDatabase(Path directory) {
        Path absolute = absolute(directory);
        DirectoryCheck.requireOwn(absolute);
        return Files.isDirectory(database(absolute));
    }

    private static Path database(Path directory) {
        return directory.resolve(POSTGRESQL).resolve("data");
    }

    private static Path absolute(Path directory) {
        return directory.toAbsolutePath().normalize();
    }

    /** The absolute path. */
    public Path path() {
        return path;
    }

    /** The folder of PostgreSQL's database. It exists only when the database is complete. */
    public Path database() {
        return database(path);
    }

    /** Creates a folder in the directory if necessary. */
    public Path directory(String first, String... more) throws IOException {
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
            throw new StandaloneException(
                    "The lock of the data directory " + path + " cannot be released: "
                            + WriteErrorMessage.reason(e, path),
                    e);
        } finally {
            LOCKED.remove(path);
        }
    }

    private static StandaloneException inUse(Path path, String pid, String holder) {
        return new StandaloneException("The data directory " + path + " is in use by " + holder + " (pid " + pid
                + "): stop that process, or name another directory with --data-dir (heddle.standalone.data-dir).");
    }
}
