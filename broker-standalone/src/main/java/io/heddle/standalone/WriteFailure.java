package io.heddle.standalone;

import java.io.IOException;
import java.nio.file.FileStore;
import java.nio.file.FileSystemException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** Why something below a data directory could not be written, for a person: a full disk needs another remedy than a missing right. */
public final class WriteFailure {
    /** In the words of the system, which has no other way to tell: no exception of Java's stands for a full disk. */
    private static final List<String> WORDS = List.of("No space left on device", "Disk quota exceeded");

    /** The words are in the user's language; with less room than this the disk is as good as full in any. */
    private static final long FULL_BELOW_BYTES = 64 << 10;

    private static final String ELSEWHERE = "--data-dir (heddle.standalone.data-dir)";

    private WriteFailure() {}

    /**
     * The sentence without its full stop: what, why and what to do.
     *
     * @param what as "the data directory /x"
     * @param path what it is about; it need not exist
     */
    public static String sentence(String what, Path path, IOException cause) {
        return sentence(what, cause, usableBytes(path));
    }

    static String sentence(String what, IOException cause, @Nullable Long usableBytes) {
        return isDiskFull(cause, usableBytes)
                ? what + " cannot be written because the disk is full (" + cause
                        + "): make room there, or name a data directory on another disk with " + ELSEWHERE
                : what + " cannot be written (" + cause + "): make it writable, or name another data directory with "
                        + ELSEWHERE;
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
