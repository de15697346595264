package io.heddle.standalone.process;

import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.EnumSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * The user that PostgreSQL runs as, because it refuses root and users without a name, such as those of some containers. If PostgreSQL
 * accepts the user of this process, it runs as that user. Otherwise it runs as the same user in a new user namespace, which names the user
 * {@code nobody}. If the system forbids user namespaces and this process runs as root, PostgreSQL runs under the account {@code nobody}.
 *
 * @param prefix the command that goes before the program
 * @param uid the owner of its files, as seen from this process
 */
public record UnprivilegedUser(List<String> prefix, int uid) {
    private static final int ROOT = 0;
    private static final int NOBODY = 65_534;

    /** Throws StandaloneException if there is no such user. */
    public static UnprivilegedUser detect(Path dataDirectory) throws IOException, InterruptedException {
        int self = effectiveUid();
        if (self != ROOT && ShortCommand.run(List.of("id", "-un")).status() == 0) {
            return new UnprivilegedUser(List.of(), self);
        }
        if (GuardedProcess.isOnPath("unshare")
                && ShortCommand.run(List.of("unshare", "-U", "true")).status() == 0) {
            return new UnprivilegedUser(List.of("unshare", "-U"), self);
        }
        if (self != ROOT) {
            throw new StandaloneException("PostgreSQL needs a user with a name, and the user " + self
                    + " of this process has none: start Heddle as a user that is in /etc/passwd.");
        }
        if (GuardedProcess.isOnPath("setpriv")) {
            return nobody(dataDirectory);
        }
        throw new StandaloneException(
                "PostgreSQL refuses to run as root, and this system has neither unshare with user namespaces nor setpriv:"
                        + " start Heddle as another user, or install the package util-linux.");
    }

    /** The system account {@code nobody}, started through setpriv. Grants the account access to the folders on the path to the data. */
    public static UnprivilegedUser nobody(Path dataDirectory) throws IOException, InterruptedException {
        UnprivilegedUser nobody = new UnprivilegedUser(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"), NOBODY);
        // Execute only, so that nobody can pass but not list. The contents keep their modes.
        Set<PosixFilePermission> permissions = EnumSet.copyOf(Files.getPosixFilePermissions(dataDirectory));
        permissions.add(PosixFilePermission.GROUP_EXECUTE);
        permissions.add(PosixFilePermission.OTHERS_EXECUTE);
        Files.setPosixFilePermissions(dataDirectory, permissions);
        Files.setPosixFilePermissions(dataDirectory.resolve("bin"), permissions);
        List<String> test = Stream.concat(
                        nobody.prefix().stream(),
                        Stream.of("test", "-x", dataDirectory.resolve("bin").toString()))
                .toList();
        if (ShortCommand.run(test).status() != 0) {
            throw new StandaloneException("PostgreSQL refuses to run as root, and the user nobody may not enter "
                    + dataDirectory
                    + ": start Heddle as another user, or name a directory that every user may enter with"
                    + " --data-dir (heddle.standalone.data-dir), such as /var/lib/heddle.");
        }
        return nobody;
    }

    /** Changes the owner of a folder and its contents to this user. Does nothing unless this process is root. */
    public void own(Path directory) throws IOException {
        if (effectiveUid() != ROOT) {
            return;
        }
        try (Stream<Path> paths = Files.walk(directory)) {
            for (Path path : (Iterable<Path>) paths::iterator) {
                if (uid(path) != uid) {
                    Files.setAttribute(path, "unix:uid", uid, LinkOption.NOFOLLOW_LINKS);
                }
            }
        }
    }

    /** Read from the status file, because the owner of a file in /proc is not always the process's user. */
    private static int effectiveUid() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Uid:")) {
                return Integer.parseInt(line.split("\\s+", -1)[2]);
            }
        }
        throw new IOException("/proc/self/status has no Uid line");
    }

    private static int uid(Path path) throws IOException {
        return (int) Objects.requireNonNull(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    }
}
