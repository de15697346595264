package io.heddle.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Notices that files have changed, once they have stopped changing, and until their reader has used them: another owner or mode makes a file readable
 * without a change that can be seen here. Follows symbolic links, because Kubernetes replaces a mounted secret by
 * changing a link to a directory. Not thread-safe.
 */
public final class ChangedFiles {
    private final List<Path> files;
    // One text for each file: when they were last read, and at the latest call.
    private List<String> read;
    private List<String> latest;
    private boolean isUsed = true;
    // Why the files as they were last read could not be used; null before the first failure.
    private @Nullable String failure;

    /** Remembers the files. Before they are read for the first time. */
    public ChangedFiles(List<Path> files) {
        this.files = List.copyOf(files);
        this.read = states();
        this.latest = read;
    }

    /** Remembers the files as they are now. Before they are read again. */
    public void mark() {
        latest = states();
        remember(latest);
    }

    /**
     * Returns whether files have changed since they were used, and have not changed since the call before. If so, they are remembered as they
     * are now. To be called every few seconds.
     */
    public boolean haveChanged() {
        List<String> now = states();
        boolean isStable = now.equals(latest);
        latest = now;
        if (!isStable || (isUsed && now.equals(read))) {
            return false;
        }
        remember(now);
        return true;
    }

    private void remember(List<String> now) {
        if (!now.equals(read)) {
            failure = null;
        }
        read = now;
        isUsed = false;
    }

    /** The files are used as they were last remembered. */
    public void used() {
        isUsed = true;
        failure = null;
    }

    /**
     * The files could not be used as they were last remembered.
     *
     * @param reason of the failure
     * @return whether these files have not failed for this reason before
     */
    public boolean failed(String reason) {
        boolean isNews = !reason.equals(failure);
        failure = reason;
        return isNews;
    }

    private List<String> states() {
        return files.stream().map(ChangedFiles::state).toList();
    }

    private static String state(Path file) {
        try {
            BasicFileAttributes attributes = Files.readAttributes(file, BasicFileAttributes.class);
            return file.toRealPath() + " " + attributes.fileKey() + " " + attributes.size() + " "
                    + attributes.lastModifiedTime();
        } catch (IOException e) {
            return file + " " + e.getClass().getSimpleName();
        }
    }
}
