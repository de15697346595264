package io.heddle.standalone;

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
 * The executables of this platform, unpacked once per data directory.
 *
 * <p>Everything is unpacked before the first process is forked: a fork that inherits a file still open for writing
 * makes the kernel refuse to run it (ETXTBSY).
 */
final class Binaries {
    private static final Logger LOG = LoggerFactory.getLogger(Binaries.class);
    private static final String ARCHIVE_SUFFIX = ".tar.gz";

    /** The programs take 65 MB, and what the servers write into empty folders as much again. */
    private static final long ROOM_BYTES = 200 << 20;
    /** For what servers write before they answer. */
    private static final long ROOM_LATER_BYTES = 32 << 20;

    private final StandaloneHome home;
    private final Platform platform;
    private final Path directory;
    private final @Nullable Path ownRedisServer;
    private final DiskRoom.UsableBytes usableBytes;

    /**
     * The executables of a platform.
     *
     * @param directory where to unpack to; it exists
     * @param ownRedisServer a redis-server to run in place of the bundled one, or null
     */
    Binaries(
            StandaloneHome home,
            Platform platform,
            Path directory,
            @Nullable Path ownRedisServer,
            DiskRoom.UsableBytes usableBytes) {
        this.home = home;
        this.platform = platform;
        this.directory = directory;
        this.ownRedisServer = ownRedisServer;
        this.usableBytes = usableBytes;
    }

    /** The redis-server executable. It is there after {@link #unpack}. */
    Path redisServer() {
        return ownRedisServer == null
                ? directory.resolve(name(home.redis(platform))).resolve("redis-server")
                : ownRedisServer;
    }

    /** The folder with PostgreSQL's bin, lib and share. It is there after {@link #unpack}. */
    Path postgresql() {
        return directory.resolve(name(home.postgresql(platform)));
    }

    /** Unpacks what is not there yet, then runs each executable once to see that it can run here. Throws StandaloneException. */
    void unpack(Set<Server> wanted) throws InterruptedException {
        Set<Server> servers = EnumSet.copyOf(wanted);
        try {
            requireRoom(servers);
            if (servers.contains(Server.REDIS) && ownRedisServer == null) {
                Path target = directory.resolve(name(home.redis(platform)));
                if (Files.exists(redisServer()) && Files.size(redisServer()) != Files.size(home.redis(platform))) {
                    LOG.warn("{} is damaged: unpacking it again", redisServer());
                    deleteTree(target);
                }
                once(target, into -> {
                    Path executable = into.resolve("redis-server");
                    Files.copy(home.redis(platform), executable);
                    Files.setPosixFilePermissions(executable, PosixFilePermissions.fromString("rwxr-xr-x"));
                });
            }
            if (servers.contains(Server.POSTGRESQL)) {
                once(postgresql(), target -> TarArchive.unpack(home.postgresql(platform), target));
            }
        } catch (IOException e) {
            throw new StandaloneException(
                    "The servers' executables cannot be unpacked to " + directory + " (" + e
                            + "): see that the disk has " + (ROOM_BYTES >> 20)
                            + " MB free, or name another directory with --data-dir (heddle.standalone.data-dir).",
                    e);
        }
        if (servers.contains(Server.REDIS)) {
            tryOut(
                    Server.REDIS,
                    redisServer(),
                    ownRedisServer == null ? redisServer().getParent() : null);
        }
        if (servers.contains(Server.POSTGRESQL)) {
            tryOut(Server.POSTGRESQL, postgresql().resolve("bin/postgres"), postgresql());
        }
    }

    /** Said before the disk is full: what else is written there would fail as well, the log not least. */
    private void requireRoom(Set<Server> servers) throws IOException {
        boolean allThere = (!servers.contains(Server.REDIS) || Files.exists(redisServer()))
                && (!servers.contains(Server.POSTGRESQL) || Files.isDirectory(postgresql()));
        long free = usableBytes.of(directory);
        long needed = allThere ? ROOM_LATER_BYTES : ROOM_BYTES;
        if (free < needed) {
            throw new StandaloneException("The disk of the data directory " + directory.getParent() + " has only "
                    + (free >> 20) + " MB free, and the servers need " + (needed >> 20)
                    + (allThere ? " MB to start" : " MB at their first start")
                    + ": make room, or name a directory on another disk with --data-dir"
                    + " (heddle.standalone.data-dir).");
        }
    }

    private interface Unpacking {
        void into(Path target) throws IOException;
    }

    /** A broker killed half-way leaves a folder of another name, which the next start removes. */
    private static void once(Path target, Unpacking unpacking) throws IOException {
        if (Files.isDirectory(target)) {
            return;
        }
        Path unfinished = target.resolveSibling(target.getFileName() + ".unfinished");
        deleteTree(unfinished);
        Files.createDirectory(unfinished);
        unpacking.into(unfinished);
        Files.move(unfinished, target, StandardCopyOption.ATOMIC_MOVE);
    }

    /** @param unpacked the folder that it was unpacked to; null for one that was not */
    static void tryOut(Server server, Path executable, @Nullable Path unpacked) throws InterruptedException {
        ShortCommand.Result result;
        try {
            result = ShortCommand.run(List.of(executable.toString(), "--version"));
        } catch (IOException e) {
            throw new StandaloneException(
                    server.displayName() + "'s program " + executable + " cannot be run (" + e.getMessage()
                            + "): " + again(unpacked)
                            + "if its directory is mounted noexec, name another one with --data-dir"
                            + " (heddle.standalone.data-dir); else " + StandaloneException.EXTERNAL_SERVERS + ".",
                    e);
        }
        // A shell takes an empty file for a program that does nothing.
        if (result.status() != 0 || result.output().isBlank()) {
            String output = result.output().strip();
            throw new StandaloneException(
                    output.contains("libssl.so.3") || output.contains("libcrypto.so.3")
                            ? server.displayName() + " needs the OpenSSL 3 library, which is missing here (" + output
                                    + "): install the package libssl3 (Debian, Ubuntu) or openssl-libs (Fedora, RHEL)."
                            : server.displayName() + "'s program " + executable
                                    + " does not run on this machine (exit status " + result.status() + ", "
                                    + (output.isEmpty() ? "and it says nothing" : output) + "): " + again(unpacked)
                                    + StandaloneException.EXTERNAL_SERVERS + ".");
        }
    }

    private static String again(@Nullable Path unpacked) {
        return unpacked == null
                ? ""
                : "delete " + unpacked + ", which is then unpacked again, in case it is damaged; or ";
    }

    private static String name(Path shipped) {
        String name = shipped.getFileName().toString();
        return name.endsWith(ARCHIVE_SUFFIX) ? name.substring(0, name.length() - ARCHIVE_SUFFIX.length()) : name;
    }

    /** Removes a folder with all it holds; nothing happens when it is not there. */
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
