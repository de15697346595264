package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** Whether a directory is, or could be made, where a data directory is asked for. Looks, and changes nothing. */
final class DirectoryCheck {
    private static final String ELSEWHERE = "name a directory with --data-dir (heddle.standalone.data-dir)";

    private DirectoryCheck() {}

    /** Throws StandaloneException when something else is there, or on the way there. */
    static void require(Path directory) {
        Path obstacle = obstacle(directory);
        if (obstacle == null) {
            return;
        }
        String where = obstacle.equals(directory)
                ? "The data directory " + directory
                : "The data directory " + directory + " cannot be made because " + obstacle;
        if (Files.isSymbolicLink(obstacle) && !Files.exists(obstacle)) {
            throw new StandaloneException(where + " is a symbolic link to " + target(obstacle)
                    + ", which is not there: make that directory, remove the link, or " + ELSEWHERE + ".");
        }
        throw new StandaloneException(where + " is " + (Files.isRegularFile(obstacle) ? "a file" : "not a directory")
                + ": " + ELSEWHERE + ".");
    }

    /** The deepest thing on the way that is there, if it is no directory. */
    private static @Nullable Path obstacle(Path directory) {
        Path found = directory;
        while (found != null && !Files.exists(found, LinkOption.NOFOLLOW_LINKS)) {
            found = found.getParent();
        }
        return found == null || Files.isDirectory(found) ? null : found;
    }

    private static String target(Path link) {
        try {
            return Files.readSymbolicLink(link).toString();
        } catch (IOException e) {
            // It was one a moment ago.
            return "something";
        }
    }
}
