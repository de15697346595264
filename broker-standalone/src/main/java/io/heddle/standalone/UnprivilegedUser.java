package io.heddle.standalone;

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
 * Who PostgreSQL runs as, since it refuses root: this process's own user if that is not root; else root as nobody in a
 * user namespace of its own; else, where namespaces are forbidden, the user nobody.
 *
 * @param prefix goes before the program and its arguments
 * @param uid the owner that its files must have, as seen from here
 */
record UnprivilegedUser(List<String> prefix, int uid) {
    private static final int ROOT = 0;
    private static final int NOBODY = 65_534;

    /** Throws StandaloneException when this is root and neither way is open. */
    static UnprivilegedUser detect(Path dataDirectory) throws IOException, InterruptedException {
        int self = effectiveUid();
        if (self != ROOT) {
            return new UnprivilegedUser(List.of(), self);
        }
        if (GuardedProcess.isOnPath("unshare")
                && ShortCommand.run(List.of("unshare", "-U", "true")).status() == 0) {
            return new UnprivilegedUser(List.of("unshare", "-U"), ROOT);
        }
        if (GuardedProcess.isOnPath("setpriv")) {
            return nobody(dataDirectory);
        }
        throw new StandaloneException(
                "PostgreSQL refuses to run as root, and this system has neither unshare with user namespaces nor setpriv:"
                        + " start Heddle as another user, or install the package util-linux.");
    }

    /** The user nobody by setpriv, with the way to the data opened for it. */
    static UnprivilegedUser nobody(Path dataDirectory) throws IOException, InterruptedException {
        UnprivilegedUser nobody = new UnprivilegedUser(
                List.of("setpriv", "--reuid=" + NOBODY, "--regid=" + NOBODY, "--clear-groups"), NOBODY);
        // May pass through, not list; everything inside keeps its own mode.
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
                    + dataDirectory + ": start Heddle as another user, or name a directory that everybody may pass with"
                    + " --data-dir (heddle.standalone.data-dir), such as /var/lib/heddle.");
        }
        return nobody;
    }

    /** Gives the folder with all it holds to this user. Only root needs to, and can. */
    void own(Path directory) throws IOException {
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

    /** From the text, since the owner of a file in /proc is not always the process's user. */
    private static int effectiveUid() throws IOException {
        for (String line : Files.readAllLines(Path.of("/proc/self/status"))) {
            if (line.startsWith("Uid:")) {
                return Integer.parseInt(line.split("\\s+", -1)[2]);
            }
        }
        throw new IOException("/proc/self/status does not tell this process's user");
    }

    private static int uid(Path path) throws IOException {
        return (int) Objects.requireNonNull(Files.getAttribute(path, "unix:uid", LinkOption.NOFOLLOW_LINKS));
    }
}
