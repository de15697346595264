package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Collections;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/** Closes a data directory to other users that was made by hand, or by an earlier Heddle, and says so where that cannot be. */
final class DirectoryPermissions {
    private static final Set<PosixFilePermission> FOR_OTHERS = PosixFilePermissions.fromString("---rw-rw-");

    private DirectoryPermissions() {}

    /** Sets the mode of a directory. */
    @FunctionalInterface
    interface ModeChange {
        void to(Path directory, Set<PosixFilePermission> mode) throws IOException;
    }

    /**
     * Changes the mode if others may read or write the directory. The owner, who may be another user than this process's, and root
     * still may then.
     *
     * @param shared whether files that are not Heddle's lie there, so that its mode is somebody else's business
     * @return what a person has to know about a directory that stays open; null when there is nothing
     */
    static @Nullable String from(Path directory, boolean shared, ModeChange change) throws IOException {
        Set<PosixFilePermission> mode = Files.getPosixFilePermissions(directory);
        if (Collections.disjoint(mode, FOR_OTHERS)) {
            return null;
        }
        if (shared) {
            return warning(directory, mode, "it holds files that are not Heddle's, so its mode is left alone");
        }
        try {
            change.to(directory, PrivateFiles.FOR_OWNER);
            return null;
        } catch (FileSystemException e) {
            return warning(
                    directory,
                    mode,
                    "this user may not change its mode (" + WriteErrorMessage.reason(e, directory) + ")");
        }
    }

    private static String warning(Path directory, Set<PosixFilePermission> mode, String why) throws IOException {
        return "The data directory " + directory + " of user " + Files.getOwner(directory)
                + " may be read or written by other users (mode " + PosixFilePermissions.toString(mode) + "), and "
                + why
                + ": chmod 700 it, or name another directory with --data-dir";
    }
}
