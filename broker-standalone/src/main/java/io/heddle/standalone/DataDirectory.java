package io.heddle.standalone;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Collections;
import java.util.HashSet;
import java.util.Optional;
import java.util.Properties;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.concurrent.ConcurrentHashMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The one directory under which the servers keep everything: data, logs, unpacked binaries, passwords, ports.
 *
 * <p>Open while locked; a second broker is refused. The kernel releases the lock with the process, whatever ends it.
 */
public final class DataDirectory implements AutoCloseable {
    private static final Logger LOG = LoggerFactory.getLogger(DataDirectory.class);
    private static final String LOCK = "lock";
    private static final String ENDPOINTS = "endpoints.properties";
    private static final String SECRETS = "secrets.properties";
    private static final String LOG_FOLDER = "log";
    private static final String OWNER_KEY = "broker.process";

    /** Everything that stands in a data directory. */
    private static final Set<String> ENTRIES = Set.of(
            LOCK, ENDPOINTS, "ports.properties", SECRETS, "bin", "kafka", LOG_FOLDER, "postgresql", "redis", "run");

    /** What servers made who were given secrets. */
    private static final Set<String> SERVERS_DATA = Set.of("kafka", "postgresql", "redis");

    /** What a first start makes before its secrets. */
    private static final Set<String> BEGINNINGS = Set.of(LOCK, LOG_FOLDER);

    /** At the root of a file system of its own. */
    private static final String OF_THE_FILE_SYSTEM = "lost+found";

    /** PostgreSQL's initdb calls its programs, which are unpacked here, by a shell and between double quotes. */
    private static final Pattern UNUSABLE = Pattern.compile("[\\p{Cntrl}\"$`\\\\]");

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");

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

    /**
     * Creates the directory if need be and locks it. Throws StandaloneException when it cannot be written, another broker has it,
     * or it is somebody else's.
     */
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
        requireUsableName(absolute);
        requireOwn(absolute);
        try {
            PrivateFiles.createDirectories(absolute);
            Path real = absolute.toRealPath();
            requireUsableName(real);
            DirectoryOwner.require(real);
            keepOthersOut(real);
            return real;
        } catch (IOException e) {
            throw unwritable(absolute, e);
        }
    }

    /** Throws StandaloneException when a server could not work in a directory of this name. Looks at the name only. */
    public static void requireUsableName(Path directory) {
        Matcher unusable = UNUSABLE.matcher(directory.toString());
        if (unusable.find()) {
            char found = unusable.group().charAt(0);
            throw new StandaloneException("The data directory "
                    + CONTROL.matcher(directory.toString()).replaceAll("?") + " has "
                    + (Character.isISOControl(found) ? "a control character" : "the character " + found)
                    + " in its name, which PostgreSQL's programs cannot cope with: name another one with --data-dir"
                    + " (heddle.standalone.data-dir).");
        }
    }

    /**
     * Throws StandaloneException when it is not a directory, or in use for something else: it is not empty, and nothing says that
     * a broker has kept its data there before; or when a broker has, and what is secret about that data is lost. Changes nothing.
     */
    public static void requireOwn(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        DirectoryCheck.require(absolute);
        try {
            Contents found = Contents.of(absolute);
            if (found != null && (found.own().contains(LOCK) || !found.isSomebodyElses())) {
                requireSecrets(absolute);
            }
            if (found != null && found.isSomebodyElses()) {
                throw new StandaloneException("The directory " + absolute + " holds " + found.strangers()
                        + " and is not one of Heddle's: name an empty directory, or a new one, with --data-dir"
                        + " (heddle.standalone.data-dir).");
            }
        } catch (IOException e) {
            throw unwritable(absolute, e);
        }
    }

    /** New ones would not fit what the servers keep, and one of those would be blamed. */
    private static void requireSecrets(Path directory) throws IOException {
        Path file = directory.resolve(SECRETS);
        String missing = SERVERS_DATA.stream().anyMatch(name -> isFilled(directory.resolve(name)))
                ? Secrets.missing(file)
                : null;
        if (missing != null) {
            throw new StandaloneException("The data directory " + directory + " holds data of a broker, but " + file
                    + ", without which nobody can use that, " + missing
                    + ": restore that file, or name an empty directory, or a new one, with --data-dir"
                    + " (heddle.standalone.data-dir).");
        }
    }

    /** One that may not be looked into is filled by somebody. */
    private static boolean isFilled(Path folder) {
        String[] names = folder.toFile().list();
        return Files.isDirectory(folder) && (names == null || names.length > 0);
    }

    /** Throws StandaloneException when it is there and the servers, for whose it is, could not work in it. Changes nothing. */
    public static void requireOwner(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        try {
            if (Files.exists(absolute)) {
                DirectoryOwner.require(absolute);
            }
        } catch (IOException e) {
            throw unwritable(absolute, e);
        }
    }

    /**
     * What is in a directory.
     *
     * @param own names that are Heddle's
     * @param others all other names
     * @param isMarked whether a broker has drawn its secrets here, which it does at its first start
     */
    private record Contents(Set<String> own, SortedSet<String> others, boolean isMarked) {
        private static final int SHOWN = 3;

        /** Null when there is no such directory. */
        static @Nullable Contents of(Path directory) throws IOException {
            if (!Files.isDirectory(directory)) {
                return null;
            }
            Set<String> own = new HashSet<>();
            SortedSet<String> others = new TreeSet<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    String name = String.valueOf(entry.getFileName());
                    String base = name.endsWith(PrivateFiles.NEXT)
                            ? name.substring(0, name.length() - PrivateFiles.NEXT.length())
                            : name;
                    if (ENTRIES.contains(base)) {
                        own.add(base);
                    } else if (!name.equals(OF_THE_FILE_SYSTEM)) {
                        others.add(name);
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            return new Contents(own, others, own.contains(SECRETS) && Secrets.isIn(directory.resolve(SECRETS)));
        }

        /** A start that was cut short has left some of our files, and nobody else's; a bin alone is anybody's. */
        boolean isSomebodyElses() {
            boolean isBegun = others.isEmpty() && (own.isEmpty() || !Collections.disjoint(own, BEGINNINGS));
            return !isMarked && !isBegun;
        }

        String strangers() {
            SortedSet<String> all = new TreeSet<>(others);
            if (others.isEmpty()) {
                all.addAll(own);
            }
            String some = all.stream()
                    .limit(SHOWN)
                    .map(name -> CONTROL.matcher(name).replaceAll("?"))
                    .collect(Collectors.joining(", "));
            return all.size() > SHOWN ? some + " and more" : some;
        }
    }

    private static void keepOthersOut(Path path) throws IOException {
        Contents found = Contents.of(path);
        boolean shared = found == null || !found.others().isEmpty();
        String warning = DirectoryPermissions.from(path, shared, Files::setPosixFilePermissions);
        if (warning != null) {
            LOG.warn("{}", warning);
        }
    }

    /**
     * Whether a broker, or a command on credentials, has made a database in the directory. Throws StandaloneException when it is
     * somebody else's. Changes nothing.
     */
    public static boolean holdsDatabase(Path directory) {
        Path absolute = directory.toAbsolutePath().normalize();
        requireOwn(absolute);
        return Files.isDirectory(PostgresProcess.files(absolute));
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
        } catch (DamagedFileException e) {
            throw new StandaloneException(
                    "The file " + file + ", which says where the running servers are, is damaged (" + e.getMessage()
                            + "): stop the broker that uses the directory, if there is one, and delete the file.",
                    e);
        } catch (IOException e) {
            throw new StandaloneException(
                    "Where the running servers are cannot be read from " + file + " ("
                            + WriteErrorMessage.reason(e, file)
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
            throw new StandaloneException(
                    "The lock of the data directory " + path + " cannot be released: "
                            + WriteErrorMessage.reason(e, path),
                    e);
        } finally {
            HELD.remove(path);
        }
    }

    private static StandaloneException taken(Path path, String pid, String holder) {
        return new StandaloneException("The data directory " + path + " is in use by " + holder + " (pid " + pid
                + "): stop that one, or name another directory with --data-dir (heddle.standalone.data-dir).");
    }

    private static StandaloneException unwritable(Path path, IOException cause) {
        return new StandaloneException(
                WriteErrorMessage.sentence("The data directory " + path, path, cause) + ".", cause);
    }
}
