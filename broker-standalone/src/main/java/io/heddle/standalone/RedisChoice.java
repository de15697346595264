package io.heddle.standalone;

import io.heddle.standalone.directory.PrivateFiles;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.process.ShortCommand;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Chooses the Redis server for a data directory: the bundled one, or a newer one of the system. The directory stores the version that wrote
 * its data, because an older server could not read the data or would even treat it as empty.
 */
final class RedisChoice {
    /** Selects the newest server among the bundled one and those on the PATH. */
    static final String AUTO = "auto";

    static final String BUNDLED = "bundled";
    static final String SETTING = "heddle.standalone.redis";

    private static final Logger LOG = LoggerFactory.getLogger(RedisChoice.class);
    private static final List<String> PROGRAMS = List.of("redis-server", "valkey-server");
    private static final String FOLDER = "redis";
    private static final String VERSION = "version";

    private final Path data;
    private final RedisVersion bundled;
    private final String wanted;
    private final String searchPath;

    /**
     * A server to choose from.
     *
     * @param program null for the bundled server
     */
    record Candidate(RedisVersion version, @Nullable Path program) {
        @Override
        public String toString() {
            return version + " (" + (program == null ? "bundled" : program) + ")";
        }
    }

    /**
     * A choice for one start.
     *
     * @param data the data directory
     * @param wanted {@value #AUTO}, {@value #BUNDLED} or the path of a program
     * @param searchPath the value of PATH
     */
    RedisChoice(Path data, RedisVersion bundled, String wanted, String searchPath) {
        this.data = data;
        this.bundled = bundled;
        this.wanted = wanted;
        this.searchPath = searchPath;
    }

    /** Returns the server to run. Throws StandaloneException if none can read the data. */
    Candidate choose() throws IOException, InterruptedException {
        List<Candidate> candidates = candidates();
        RedisVersion writer = writer();
        Candidate chosen = candidates.stream()
                .filter(candidate -> writer == null || candidate.version().canRead(writer))
                .max(Comparator.comparing(Candidate::version))
                .orElseThrow(() -> unreadable(writer, candidates));
        LOG.info("Running {}: {}={}", chosen, SETTING, wanted);
        return chosen;
    }

    private List<Candidate> candidates() throws InterruptedException {
        Candidate own = new Candidate(bundled, null);
        return switch (wanted) {
            case BUNDLED -> List.of(own);
            case AUTO -> {
                List<Candidate> all = new ArrayList<>(List.of(own));
                for (String name : PROGRAMS) {
                    Candidate found = onPath(name);
                    if (found != null && found.version().compareTo(bundled) > 0) {
                        all.add(found);
                    }
                }
                yield all;
            }
            default -> List.of(named(wanted));
        };
    }

    private @Nullable Candidate onPath(String name) throws InterruptedException {
        for (String folder : searchPath.split(File.pathSeparator, -1)) {
            Path program = folder.isEmpty() ? null : Path.of(folder, name).toAbsolutePath();
            if (program != null && Files.isRegularFile(program) && Files.isExecutable(program)) {
                return candidate(program);
            }
        }
        return null;
    }

    private static @Nullable Candidate candidate(Path program) throws InterruptedException {
        try {
            ShortCommand.Result result = ShortCommand.run(List.of(program.toString(), "--version"));
            RedisVersion version = result.status() == 0 ? RedisVersion.ofProgram(result.output()) : null;
            return version == null ? null : new Candidate(version, program);
        } catch (IOException e) {
            LOG.debug("Cannot run {}", program, e);
            return null;
        }
    }

    private static Candidate named(String wanted) throws InterruptedException {
        Candidate found = null;
        try {
            Path program = Path.of(wanted).toAbsolutePath();
            found = Files.isExecutable(program) ? candidate(program) : null;
        } catch (InvalidPathException e) {
            LOG.debug("{} is not a path", wanted, e);
        }
        if (found == null) {
            throw new StandaloneException(SETTING + " is " + wanted
                    + ", which is not a redis-server or valkey-server that runs on this machine: set it to the path of one, or to "
                    + AUTO + " or " + BUNDLED + ".");
        }
        return found;
    }

    /** The version that wrote the data; null if there is no data. */
    private @Nullable RedisVersion writer() throws IOException {
        Path file = data.resolve(FOLDER).resolve(VERSION);
        if (Files.exists(file)) {
            RedisVersion version = RedisVersion.parse(Files.readString(file));
            if (version == null) {
                throw new StandaloneException("The file " + file
                        + ", which holds the version of Redis that wrote the data next to it, is damaged: write that version"
                        + " into it, for example \"" + bundled + "\".");
            }
            return version;
        }
        return null;
    }

    /** Stores the version that writes the data from now on. */
    synchronized void store(RedisVersion version) throws IOException {
        Path folder = data.resolve(FOLDER);
        PrivateFiles.createDirectories(folder);
        PrivateFiles.write(folder.resolve(VERSION), version + "\n");
    }

    private StandaloneException unreadable(@Nullable RedisVersion writer, List<Candidate> candidates) {
        return new StandaloneException("The Redis data in " + data.resolve(FOLDER) + " was written by " + writer
                + ", which " + candidates.stream().map(Candidate::toString).collect(Collectors.joining(" and "))
                + " cannot read: install " + writer
                + " or a later version of it on the PATH, or name its program with "
                + SETTING + " (now " + wanted + ").");
    }
}
