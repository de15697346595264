package io.heddle.standalone.directory;

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

/** The message for a file that cannot be written below a data directory. It distinguishes a full disk from a missing permission. */
public final class WriteErrorMessage {
    /** Messages of the operating system; Java has no exception for a full disk. */
    private static final List<String> DISK_FULL = List.of("No space left on device", "Disk quota exceeded");

    /** The messages above may be translated. With less free space than this the disk counts as full. */
    private static final long FULL_BELOW_BYTES = 64 << 10;

    private static final String OTHER_DIRECTORY = "--data-dir (heddle.standalone.data-dir)";

    private WriteErrorMessage() {}

    /** The exception for a data directory that cannot be written. */
    public static StandaloneException unwritable(Path directory, IOException cause) {
        return new StandaloneException(sentence("The data directory " + directory, directory, cause) + ".", cause);
    }

    /**
     * Returns the sentence without its full stop: what, why and what to do.
     *
     * @param subject for example "The data directory /x"
     * @param path the subject's path; it need not exist
     */
    public static String sentence(String subject, Path path, IOException cause) {
        return sentence(subject, path, cause, usableBytes(path));
    }

    static String sentence(String subject, Path path, IOException cause, @Nullable Long usableBytes) {
        String reason = reason(cause, path);
        if (isDiskFull(cause, usableBytes)) {
            return subject + " cannot be written because the disk is full (" + reason
                    + "): free some space, or name a data directory on another disk with " + OTHER_DIRECTORY;
        }
        Path refusing = refusingFolder(cause);
        return refusing == null
                ? subject + " cannot be written (" + reason
                        + "): make it writable, or name another data directory with " + OTHER_DIRECTORY
                : subject + " cannot be created because " + refusing
                        + " belongs to the system and takes no new files: name another data directory with "
                        + OTHER_DIRECTORY;
    }

    /** The parent folder, if it exists and takes no files, as /proc does: a file created there is "not found". */
    private static @Nullable Path refusingFolder(IOException cause) {
        if (!(cause instanceof NoSuchFileException missing) || missing.getFile() == null) {
            return null;
        }
        Path parent = Path.of(missing.getFile()).getParent();
        return parent != null && Files.isDirectory(parent) ? parent : null;
    }

    /**
     * Returns the reason without the names of Java's exceptions.
     *
     * @param named the path that the message names already; the reason names the file only if it is another one
     */
    public static String reason(IOException cause, Path named) {
        if (!(cause instanceof FileSystemException failure)) {
            return cause.getMessage() == null ? "I/O error" : cause.getMessage();
        }
        String reason = switch (failure) {
            case AccessDeniedException _ -> "permission denied";
            case NoSuchFileException _ -> "not found";
            case FileAlreadyExistsException _ -> "another file has that name";
            case NotDirectoryException _ -> "not a directory";
            case FileSystemLoopException _ -> "a loop of symbolic links";
            default -> failure.getReason() == null ? "I/O error" : failure.getReason();
        };
        String file = failure.getFile();
        return file == null || file.equals(named.toString()) ? reason : reason + ": " + file;
    }

    private static boolean isDiskFull(IOException cause, @Nullable Long usableBytes) {
        String message = String.valueOf(cause.getMessage());
        boolean hasOtherReason =
                !cause.getClass().equals(IOException.class) && !cause.getClass().equals(FileSystemException.class);
        return DISK_FULL.stream().anyMatch(message::contains)
                || (!hasOtherReason && usableBytes != null && usableBytes < FULL_BELOW_BYTES);
    }

    /** Of the disk that holds the path or would hold it; null if unknown. */
    private static @Nullable Long usableBytes(Path path) {
        Path existing = path.toAbsolutePath();
        while (existing != null && !Files.exists(existing)) {
            existing = existing.getParent();
        }
        try {
            FileStore disk = existing == null ? null : Files.getFileStore(existing);
            // File systems of the kernel, such as /proc, have no size.
            return disk == null || disk.getTotalSpace() == 0 ? null : Long.valueOf(disk.getUsableSpace());
        } catch (IOException e) {
            return null;
        }
    }
}
