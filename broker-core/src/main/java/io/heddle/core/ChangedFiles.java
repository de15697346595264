package io.heddle.core;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.List;

/**
 * Notices that files have changed, once they have stopped changing. Follows symbolic links, because Kubernetes replaces a mounted secret by
 * changing a link to a directory. Not thread-safe.
 */
public final class ChangedFiles {
    private final List<Path> files;
    // One text for each file: when they were last read, and at the latest call.
    private List<String> read;
    private List<String> latest;

    /** Remembers the files. Before they are read for the first time. */
    public ChangedFiles(List<Path> files) {
        this.files = List.copyOf(files);
        this.read = states();
        this.latest = read;
    }

    /** Remembers the files as they are now. Before they are read again. */
    public void mark() {
        read = states();
        latest = read;
    }

    /**
     * Returns whether files have changed since they were read, and have not changed since the call before. If so, they are remembered as they
     * are now. To be called every few seconds.
     */
    public boolean haveChanged() {
        List<String> now = states();
        boolean isStable = now.equals(latest);
        latest = now;
        if (!isStable || now.equals(read)) {
            return false;
        }
        read = now;
        return true;
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
