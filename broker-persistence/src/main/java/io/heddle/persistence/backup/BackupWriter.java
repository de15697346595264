package io.heddle.persistence.backup;

import java.io.DataOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.zip.GZIPOutputStream;

/** Writes a backup. One thread. The backup is complete after {@link #finish}. */
public final class BackupWriter implements BackupEntry.Sink, AutoCloseable {
    private static final int BUFFER_BYTES = 64 << 10;

    private final DataOutputStream out;
    private long entries;

    /** @param file is closed with this writer */
    public BackupWriter(OutputStream file) throws IOException {
        out = new DataOutputStream(new GZIPOutputStream(file, BUFFER_BYTES));
        BackupFormat.writeBeginning(out);
    }

    /** Throws UncheckedIOException if the file cannot be written. */
    @Override
    public void accept(BackupEntry entry) {
        try {
            BackupFormat.write(entry, out);
            entries++;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes the end of the backup and closes the file. */
    public void finish() throws IOException {
        out.writeByte(BackupFormat.END);
        out.writeLong(entries);
        out.close();
    }

    @Override
    public void close() throws IOException {
        out.close();
    }
}
