package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/**
 * Whose a data directory is. Root may write into everybody's, but PostgreSQL does not run with root's rights: without them it cannot
 * enter what is closed to others.
 */
final class DirectoryOwner {
    private static final long ROOT = 0;
    private static final String UID = "unix:uid";

    private DirectoryOwner() {}

    /** Throws StandaloneException when the servers could not work there. Changes nothing. */
    static void require(Path directory) throws IOException {
        String refusal = refusal(
                directory,
                uid(Path.of("/proc/self")),
                uid(directory),
                Files.getOwner(directory).getName());
        if (refusal != null) {
            throw new StandaloneException(refusal);
        }
    }

    private static long uid(Path path) throws IOException {
        return ((Number) Objects.requireNonNull(Files.getAttribute(path, UID))).longValue();
    }

    /** What a person has to know, or null when there is nothing. */
    static @Nullable String refusal(Path directory, long ofProcess, long ofDirectory, String owner) {
        if (ofProcess != ROOT || ofDirectory == ROOT) {
            return null;
        }
        return "The data directory " + directory + " belongs to user " + owner
                + ", and Heddle runs as root, whose PostgreSQL has no rights there: chown it to root, run Heddle as "
                + owner
                + ", or name another one with --data-dir (heddle.standalone.data-dir).";
    }
}
