package io.heddle.persistence.backup;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.backup.BackupEntry.Origin;
import java.io.BufferedInputStream;
import java.io.DataInputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.ZipException;
import org.jspecify.annotations.Nullable;

/** A backup that was read to its end once. One thread. */
public final class BackupReader {
    private final Path file;
    private final Origin origin;

    private BackupReader(Path file, Origin origin) {
        this.file = file;
        this.origin = origin;
    }

    /**
     * Reads a whole backup, so that a damaged or incomplete one is rejected before anything is restored.
     *
     * @throws StartupException if it is not a complete backup
     */
    public static BackupReader open(Path file) {
        Origin[] origin = new Origin[1];
        read(file, entry -> {
            if (entry instanceof Origin found) {
                origin[0] = found;
            }
        });
        @Nullable Origin found = origin[0];
        if (found == null) {
            throw new StartupException(file + ": the backup is damaged: it does not name its cluster", null);
        }
        return new BackupReader(file, found);
    }

    public Origin origin() {
        return origin;
    }

    public void read(BackupEntry.Sink sink) {
        read(file, sink);
    }

    private static void read(Path file, BackupEntry.Sink sink) {
        try (DataInputStream in =
                new DataInputStream(new BufferedInputStream(new GZIPInputStream(Files.newInputStream(file))))) {
            BackupFormat.readBeginning(in);
            long entries = 0;
            for (int kind = in.readUnsignedByte(); kind != BackupFormat.END; kind = in.readUnsignedByte()) {
                sink.accept(BackupFormat.read(kind, in));
                entries++;
            }
            // The end of the stream is behind the checksum.
            if (in.readLong() != entries || in.read() >= 0) {
                throw new StartupException("the backup is damaged: it has another number of entries", null);
            }
        } catch (EOFException e) {
            throw new StartupException(file + ": the backup is incomplete: use another one", e);
        } catch (ZipException e) {
            throw new StartupException(file + " is not a backup, or is damaged: use another one", e);
        } catch (IOException e) {
            throw new StartupException(file + " cannot be read (" + e + "): check its path and its permissions", e);
        }
    }
}
