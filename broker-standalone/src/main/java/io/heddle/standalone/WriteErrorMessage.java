package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.FileSystemLoopException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why something below a data directory could not be written, for a person: a full disk needs another remedy than a missing right. */
public final class WriteErrorMessage {
    /** In the words of the system, which has no other way to tell: no exception of Java's stands for a full disk. */
    private static final List<String> WORDS = List.of("No space left on device", "Disk quota exceeded");

    /** The words are in the user's language; with less room than this the disk is as good as full in any. */
    private static final long FULL_BELOW_BYTES = 64 << 10;

    private static final String ELSEWHERE = "--data-dir (heddle.standalone.data-dir)";

    private WriteErrorMessage() {}

    /**
     * The sentence without its full stop: what, why and what to do.
     *
     * @param what as "the data directory /x"
     * @param path what it is about; it need not exist
     */
    public static String sentence(String what, Path path, IOException cause) {
        return sentence(what, path, cause, usableBytes(path));
    }

    static String sentence(String what, Path path, IOException cause, @Nullable Long usableBytes) {
        String reason = reason(cause, path);
        if (isDiskFull(cause, usableBytes)) {
            return what + " cannot be written because the disk is full (" + reason
                    + "): make room there, or name a data directory on another disk with " + ELSEWHERE;
        }
        Path refusing = refusingFolder(cause);
        return refusing == null
                ? what + " cannot be written (" + reason + "): make it writable, or name another data directory with "
                        + ELSEWHERE
                : what + " cannot be made because " + refusing
                        + " is the system's and takes no new files: name another data directory with " + ELSEWHERE;
    }

    /** As /proc, in which a new file is "not found". */
    private static @Nullable Path refusingFolder(IOException cause) {
        if (!(cause instanceof NoSuchFileException missing) || missing.getFile() == null) {
            return null;
        }
        Path parent = Path.of(missing.getFile()).getParent();
        return parent != null && Files.isDirectory(parent) ? parent : null;
    }

    /**
     * Why, without the names of Java's exceptions; with the file if that is not the path the reader has just been told.
     */
    static String reason(IOException cause, Path told) {
        if (!(cause instanceof FileSystemException failure)) {
            return cause.getMessage() == null ? "an error of the disk" : cause.getMessage();
        }
        String reason = switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "not found";
            case FileAlreadyExistsException _ -> "something else has that name";
            case NotDirectoryException _ -> "not a directory";
            case FileSystemLoopException _ -> "a loop of symbolic links";
            default -> failure.getReason() == null ? "an error of the disk" : failure.getReason();
        };
        String file = failure.getFile();
        return file == null || file.equals(told.toString()) ? reason : reason + ": " + file;
    }

    private static boolean isDiskFull(IOException cause, @Nullable Long usableBytes) {
        String message = String.valueOf(cause.getMessage());
        boolean isNamed =
                !cause.getClass().equals(IOException.class) && !cause.getClass().equals(FileSystemException.class);
        return WORDS.stream().anyMatch(message::contains)
                || (!isNamed && usableBytes != null && usableBytes < FULL_BELOW_BYTES);
    }

    /** Of the disk that the path is on, or would be; null when that cannot be found out. */
    private static @Nullable Long usableBytes(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        try {
            FileStore disk = existing == null ? null : Files.getFileStore(existing);
            // What the kernel only makes up, /proc for instance, has no room and needs none.
            return disk == null || disk.getTotalSpace() == 0 ? null : Long.valueOf(disk.getUsableSpace());
        } catch (IOException e) {
            return null;
        }
    }
}
