package io.heddle.standalone;

import io.heddle.standalone.directory.DiskSpace;
import io.heddle.standalone.directory.StandaloneException;
import io.heddle.standalone.process.ShortCommand;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * The executables for this platform, unpacked once per data directory.
 *
 * <p>Everything is unpacked before the first process is forked: the kernel refuses to execute a file that a forked process has inherited
 * open for writing (ETXTBSY).
 */
final class Binaries {
    private static final Logger LOG = LoggerFactory.getLogger(Binaries.class);
    private static final String ARCHIVE_SUFFIX = ".tar.gz";

    /** The programs take 65 MB; the servers' initial data takes as much again. */
    private static final long FIRST_START_BYTES = 200 << 20;
    /** The space for data that servers write before they are ready. */
    private static final long LATER_START_BYTES = 32 << 20;

    private final StandaloneHome home;
    private final Platform platform;
    private final Path directory;
    private final @Nullable Path externalRedisServer;
    private final DiskSpace.UsableBytes usableBytes;

    /**
     * The executables for a platform.
     *
     * @param directory the existing folder to unpack to
     * @param externalRedisServer the program to run instead of the bundled redis-server, or null
     */
    Binaries(
            StandaloneHome home,
            Platform platform,
            Path directory,
            @Nullable Path externalRedisServer,
            DiskSpace.UsableBytes usableBytes) {
        this.home = home;
        this.platform = platform;
        this.directory = directory;
        this.externalRedisServer = externalRedisServer;
        this.usableBytes = usableBytes;
    }

    /** The redis-server executable. It exists after {@link #unpack}. */
    Path redisServer() {
        return externalRedisServer == null
                ? directory.resolve(name(home.redis(platform))).resolve("redis-server")
                : externalRedisServer;
    }

    /** The folder with PostgreSQL's bin, lib and share. It exists after {@link #unpack}. */
    Path postgresql() {
        return directory.resolve(name(home.postgresql(platform)));
    }

    /** Unpacks missing executables, then runs each with --version. Throws StandaloneException if one does not run on this machine. */
    void unpack(Set<Server> wanted) throws InterruptedException {
        Set<Server> servers = EnumSet.copyOf(wanted);
        try {
            requireSpace(servers);
            if (servers.contains(Server.REDIS) && externalRedisServer == null) {
                Path target = directory.resolve(name(home.redis(platform)));
                if (Files.exists(redisServer()) && Files.size(redisServer()) != Files.size(home.redis(platform))) {
                    LOG.warn("The bundled Redis has the wrong size; unpacking it again: file={}", redisServer());
                    deleteTree(target);
                }
                unpackOnce(target, into -> {
                    Path executable = into.resolve("redis-server");
                    Files.copy(home.redis(platform), executable);
                    Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwxr-xr-x"));
                });
            }
            if (servers.contains(Server.POSTGRESQL)) {
                unpackOnce(postgresql(), target -> TarArchive.unpack(home.postgresql(platform), target));
            }
        } catch (IOException e) {
            throw new StandaloneException(
                    "The servers' executables cannot be unpacked to " + directory + " (" + e
                            + "): make sure that the disk has " + (FIRST_START_BYTES >> 20)
                            + " MB free, or name another directory with --data-dir (heddle.standalone.data-dir).",
                    e);
        }
        if (servers.contains(Server.REDIS)) {
            requireRunnable(
                    Server.REDIS,
                    redisServer(),
                    externalRedisServer == null ? redisServer().getParent() : null);
        }
        if (servers.contains(Server.POSTGRESQL)) {
            requireRunnable(Server.POSTGRESQL, postgresql().resolve("bin/postgres"), postgresql());
        }
    }

    /** Checked before the disk is full, because then writes to the log would fail, too. */
    private void requireSpace(Set<Server> servers) throws IOException {
        boolean unpacked = (!servers.contains(Server.REDIS) || Files.exists(redisServer()))
                && (!servers.contains(Server.POSTGRESQL) || Files.isDirectory(postgresql()));
        long free = usableBytes.of(directory);
        long needed = unpacked ? LATER_START_BYTES : FIRST_START_BYTES;
        if (free < needed) {
            throw new StandaloneException("The disk of the data directory " + directory.getParent() + " has only "
                    + (free >> 20) + " MB free, and the servers need " + (needed >> 20)
                    + (unpacked ? " MB to start" : " MB at their first start")
                    + ": free some space, or name a directory on another disk with --data-dir"
                    + " (heddle.standalone.data-dir).");
        }
    }

    private interface Unpacking {
        void into(Path target) throws IOException;
    }

    /** Unpacks under another name and renames at the end. The next start removes the folder of a killed broker. */
    private static void unpackOnce(Path target, Unpacking unpacking) throws IOException {
        if (Files.isDirectory(target)) {
            return;
        }
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        deleteTree(unfinished);
        Files.createDirectory(unfinished);
        unpacking.into(unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** @param unpacked the folder to delete if the executable is damaged; null if Heddle did not unpack it */
    static void requireRunnable(Server server, Path executable, @Nullable Path unpacked) throws InterruptedException {
        ShortCommand.Result result;
        try {
            result = ShortCommand.run(List.of(executable.toString(), "--version"));
        } catch (IOException e) {
            throw new StandaloneException(
                    server.displayName() + "'s program " + executable + " cannot be run (" + e.getMessage()
                            + "): " + unpackAgain(unpacked)
                            + "if its directory is mounted noexec, name another one with --data-dir"
                            + " (heddle.standalone.data-dir); else " + StandaloneException.EXTERNAL_SERVERS + ".",
                    e);
        }
        // A shell runs an empty file as a program that does nothing.
        if (result.status() != 0 || result.output().isBlank()) {
            String output = result.output().strip();
            throw new StandaloneException(
                    output.contains("libssl.so.3") || output.contains("libcrypto.so.3")
                            ? server.displayName() + " needs the OpenSSL 3 library, which is missing here (" + output
                                    + "): install the package libssl3 (Debian, Ubuntu) or openssl-libs (Fedora, RHEL)."
                            : server.displayName() + "'s program " + executable
                                    + " does not run on this machine (exit status " + result.status() + ", "
                                    + (output.isEmpty() ? "no output" : output) + "): " + unpackAgain(unpacked)
                                    + StandaloneException.EXTERNAL_SERVERS + ".");
        }
    }

    private static String unpackAgain(@Nullable Path unpacked) {
        return unpacked == null
                ? ""
                : "delete " + unpacked + " in case it is damaged, so that it is unpacked again; or ";
    }

    private static String name(Path shipped) {
        String name = shipped.getFileName().toString();
        return name.endsWith(ARCHIVE_SUFFIX) ? name.substring(0, name.length() - ARCHIVE_SUFFIX.length()) : name;
    }

    /** Deletes a folder with its contents, if it exists. */
    static void deleteTree(Path tree) throws IOException {
        if (!Files.exists(tree)) {
            return;
        }
        try (Stream<Path> paths = Files.walk(tree)) {
            for (Path path : paths.sorted(Comparator.reverseOrder()).toList()) {
                Files.delete(path);
            }
        }
    }
}
