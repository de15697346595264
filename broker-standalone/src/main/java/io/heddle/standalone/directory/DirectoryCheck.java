package io.heddle.standalone.directory;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Collections;
import java.util.HashSet;
import java.util.Objects;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Refuses directories that cannot be a data directory: by name, by the file at its path, by contents, by
 * format, or by owner. Each refusal is a {@link
 * StandaloneException}. The checks change nothing.
 */
final class DirectoryCheck {
    /** All names that Heddle writes into a data directory. */
    private static final Set<String> ENTRIES = Set.of(
            DataDirectory.LOCK,
            DataDirectory.FORMAT_FILE,
            "endpoints.properties",
            "ports.properties",
            DataDirectory.SECRETS,
            "bin",
            "kafka",
            DataDirectory.LOG_FOLDER,
            DataDirectory.POSTGRESQL,
            "redis",
            "run");

    /** Folders of servers, which are created after the secrets. */
    private static final Set<String> SERVER_DATA = Set.of("kafka", DataDirectory.POSTGRESQL, "redis");

    /** Entries that a first start creates before its secrets. */
    private static final Set<String> FIRST_ENTRIES = Set.of(DataDirectory.LOCK, DataDirectory.LOG_FOLDER);

    /** A folder at the root of a file system, which does not count as content. */
    private static final String LOST_AND_FOUND = "lost+found";

    /** PostgreSQL's initdb calls its programs, which are unpacked here, through a shell and between double quotes. */
    private static final Pattern UNUSABLE = Pattern.compile("[\\p{Cntrl}\"$`\\\\]");

    private static final Pattern CONTROL = Pattern.compile("\\p{Cntrl}");
    private static final Pattern NUMBER = Pattern.compile("\\d{1,9}");
    private static final long ROOT = 0;
    private static final String UID = "unix:uid";
    private static final String OTHER_DIRECTORY = "name a directory with --data-dir (heddle.standalone.data-dir)";
    private static final String EMPTY_DIRECTORY =
            "name an empty or new directory with --data-dir (heddle.standalone.data-dir)";

    private DirectoryCheck() {}

    /** Makes all checks. The directory need not exist. */
    static void requireUsable(Path directory) {
        requireUsableName(directory);
        requireOwn(directory);
        if (Files.exists(directory)) {
            requireOwner(directory);
        }
    }

    /** Requires a name that every server can work with. */
    static void requireUsableName(Path directory) {
        Matcher unusable = UNUSABLE.matcher(directory.toString());
        if (unusable.find()) {
            char found = unusable.group().charAt(0);
            throw new StandaloneException("The data directory " + printable(directory.toString()) + " has "
                    + (Character.isISOControl(found) ? "a control character" : "the character " + found)
                    + " in its name, which PostgreSQL's programs cannot handle: " + OTHER_DIRECTORY + ".");
        }
    }

    /**
     * Requires a directory that does not exist, is empty, or holds data of Heddle together with its secrets. Without its secrets the data
     * of a broker is unusable.
     */
    static void requireOwn(Path directory) {
        requireNoObstacle(directory);
        try {
            Contents found = Contents.of(directory);
            if (found == null) {
                return;
            }
            if (found.own().contains(DataDirectory.LOCK) || !found.isForeign()) {
                requireSecrets(directory);
            }
            if (found.isForeign()) {
                throw new StandaloneException("The directory " + directory + " holds " + found.examples()
                        + " and is not a data directory of Heddle: " + EMPTY_DIRECTORY + ".");
            }
            requireKnownFormat(directory);
        } catch (IOException e) {
            throw WriteErrorMessage.unwritable(directory, e);
        }
    }

    /** Servers of this build would not start on other data, or would damage it. A directory without a number has the first format. */
    private static void requireKnownFormat(Path directory) throws IOException {
        Path file = directory.resolve(DataDirectory.FORMAT_FILE);
        if (!Files.exists(file)) {
            return;
        }
        String found = Files.readString(file).strip();
        if (!NUMBER.matcher(found).matches()) {
            throw new StandaloneException(
                    "The file " + file + ", which holds the number of the format of the data directory, is"
                            + " damaged: write " + DataDirectory.FORMAT + " into it.");
        }
        if (Integer.parseInt(found) != DataDirectory.FORMAT) {
            throw new StandaloneException("The data directory " + directory + " has format " + found
                    + ", and this build of Heddle reads only format " + DataDirectory.FORMAT
                    + ": back up with the build that wrote it, " + EMPTY_DIRECTORY + ", and restore the backup.");
        }
    }

    private static void requireNoObstacle(Path directory) {
        Path obstacle = obstacle(directory);
        if (obstacle == null) {
            return;
        }
        String subject = obstacle.equals(directory)
                ? "The data directory " + directory
                : "The data directory " + directory + " cannot be created because " + obstacle;
        if (Files.isSymbolicLink(obstacle) && !Files.exists(obstacle)) {
            throw new StandaloneException(subject + " is a symbolic link to " + target(obstacle)
                    + ", which does not exist: create that directory, remove the link, or " + OTHER_DIRECTORY + ".");
        }
        throw new StandaloneException(subject + " is " + (Files.isRegularFile(obstacle) ? "a file" : "not a directory")
                + ": " + OTHER_DIRECTORY + ".");
    }

    /** The deepest existing part of the path, if it is not a directory. */
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
        } catch (IOException removedMeanwhile) {
            return "something";
        }
    }

    /** New secrets would not fit the stored data, and the error would blame a server. */
    private static void requireSecrets(Path directory) throws IOException {
        Path file = directory.resolve(DataDirectory.SECRETS);
        String defect =
                SERVER_DATA.stream().anyMatch(name -> isFilled(directory.resolve(name))) ? Secrets.defect(file) : null;
        if (defect != null) {
            throw new StandaloneException("The data directory " + directory + " holds data of a broker, but " + file
                    + ", which is required to use that data, " + defect + ": restore that file, or " + EMPTY_DIRECTORY
                    + ".");
        }
    }

    /** A folder that may not be listed counts as filled. */
    private static boolean isFilled(Path folder) {
        String[] names = folder.toFile().list();
        return Files.isDirectory(folder) && (names == null || names.length > 0);
    }

    private static void requireOwner(Path directory) {
        try {
            String rejection = ownerRejection(
                    directory,
                    uid(Path.of("/proc/self")),
                    uid(directory),
                    Files.getOwner(directory).getName());
            if (rejection != null) {
                throw new StandaloneException(rejection);
            }
        } catch (IOException e) {
            throw WriteErrorMessage.unwritable(directory, e);
        }
    }

    private static long uid(Path path) throws IOException {
        return ((Number) Objects.requireNonNull(Files.getAttribute(path, UID))).longValue();
    }

    /**
     * Null if the servers can work there. Under root, PostgreSQL runs without root's rights and cannot enter directories of other users.
     */
    static @Nullable String ownerRejection(Path directory, long processUid, long directoryUid, String owner) {
        if (processUid != ROOT || directoryUid == ROOT) {
            return null;
        }
        return "The data directory " + directory + " belongs to user " + owner
                + ", but Heddle runs as root, whose PostgreSQL has no access to it: chown the directory to root, run Heddle as "
                + owner + ", or name another directory with --data-dir (heddle.standalone.data-dir).";
    }

    private static String printable(String name) {
        return CONTROL.matcher(name).replaceAll("?");
    }

    /** Returns whether the directory holds names that Heddle does not write. */
    static boolean isShared(Path directory) throws IOException {
        Contents found = Contents.of(directory);
        return found == null || !found.others().isEmpty();
    }

    /**
     * The entries of a directory.
     *
     * @param own names that Heddle writes
     * @param others all other names
     * @param hasSecrets whether a broker has stored its secrets here, which it does at its first start
     */
    private record Contents(Set<String> own, SortedSet<String> others, boolean hasSecrets) {
        private static final int MAXIMUM_EXAMPLES = 3;

        /** Null if the directory does not exist. */
        static @Nullable Contents of(Path directory) throws IOException {
            if (!Files.isDirectory(directory)) {
                return null;
            }
            Set<String> own = new HashSet<>();
            SortedSet<String> others = new TreeSet<>();
            try (DirectoryStream<Path> entries = Files.newDirectoryStream(directory)) {
                for (Path entry : entries) {
                    String name = String.valueOf(entry.getFileName());
                    String base = name.endsWith(PrivateFiles.TEMPORARY)
                            ? name.substring(0, name.length() - PrivateFiles.TEMPORARY.length())
                            : name;
                    if (ENTRIES.contains(base)) {
                        own.add(base);
                    } else if (!name.equals(LOST_AND_FOUND)) {
                        others.add(name);
                    }
                }
            } catch (DirectoryIteratorException e) {
                throw e.getCause();
            }
            Path secrets = directory.resolve(DataDirectory.SECRETS);
            return new Contents(own, others, own.contains(DataDirectory.SECRETS) && Secrets.isIn(secrets));
        }

        /** An interrupted first start leaves only names of Heddle. A folder "bin" alone can be of any program. */
        boolean isForeign() {
            boolean isFirstStart = others.isEmpty() && (own.isEmpty() || !Collections.disjoint(own, FIRST_ENTRIES));
            return !hasSecrets && !isFirstStart;
        }

        /** Some names for the error message. */
        String examples() {
            SortedSet<String> all = new TreeSet<>(others.isEmpty() ? own : others);
            String some = all.stream()
                    .limit(MAXIMUM_EXAMPLES)
                    .map(DirectoryCheck::printable)
                    .collect(Collectors.joining(", "));
            return all.size() > MAXIMUM_EXAMPLES ? some + " and more" : some;
        }
    }
}
