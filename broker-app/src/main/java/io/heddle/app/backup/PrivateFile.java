package io.heddle.app.backup;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.channels.Channels;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/**
 * A new file that only its owner may read, because it has password hashes. It has another name until it is complete. One thread. States:
 * being written, then complete or removed.
 */
final class PrivateFile implements AutoCloseable {
    private final Path file;
    private final Path unfinished;
    private final FileChannel channel;

    private PrivateFile(Path file, Path unfinished, FileChannel channel) {
        this.file = file;
        this.unfinished = unfinished;
        this.channel = channel;
    }

    static PrivateFile create(Path file) throws IOException {
        Path unfinished = file.resolveSibling(file.getFileName() + ".unfinished");
        Files.deleteIfExists(unfinished);
        return new PrivateFile(
                file,
                unfinished,
                FileChannel.open(
                        unfinished,
                        Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE),
                        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"))));
    }

    /** Returns a stream into the file, whose end does not close the file. */
    OutputStream stream() {
        OutputStream out = Channels.newOutputStream(channel);
        return new OutputStream() {
            @Override
            public void write(int single) throws IOException {
                out.write(single);
            }

            @Override
            public void write(byte[] bytes, int offset, int length) throws IOException {
                out.write(bytes, offset, length);
            }
        };
    }

    /** Gives the file its name when its content is on the disk. */
    void complete() throws IOException {
        channel.force(true);
        Files.move(unfinished, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Removes the file unless it is complete. */
    @Override
    public void close() throws IOException {
        channel.close();
        Files.deleteIfExists(unfinished);
    }
}
