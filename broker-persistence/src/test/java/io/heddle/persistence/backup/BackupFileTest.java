package io.heddle.persistence.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.persistence.backup.BackupEntry.ApplicationTopic;
import io.heddle.persistence.backup.BackupEntry.Change;
import io.heddle.persistence.backup.BackupEntry.Origin;
import io.heddle.persistence.backup.BackupEntry.Row;
import io.heddle.persistence.record.Golden;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class BackupFileTest {
    private static final Origin ORIGIN = new Origin(new UUID(1, 2), 1_700_000_000_000L, 16, "7");
    private static final List<BackupEntry> ENTRIES = List.of(
            ORIGIN,
            new Row("admin_user", data("{\"user_name\":\"ada\"}")),
            new ApplicationTopic("heddle.app.billing", new UUID(3, 4)),
            new Change("heddle.clients", 5, 41, data("key"), data("value"), null),
            new Change("heddle.retained", 1, 42, data("key"), null, data("condition")));

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    private static BinaryData data(String text) {
        return BinaryData.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] written() throws IOException {
        ByteArrayOutputStream file = new ByteArrayOutputStream();
        try (BackupWriter writer = new BackupWriter(file)) {
            ENTRIES.forEach(writer::accept);
            writer.finish();
        }
        return file.toByteArray();
    }

    private static byte[] unpacked(byte[] file) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(file))) {
            return in.readAllBytes();
        }
    }

    private Path packed(byte[] content) throws IOException {
        Path file = directory.resolve("packed");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(file))) {
            out.write(content);
        }
        return file;
    }

    private static List<BackupEntry> read(Path file) {
        BackupReader reader = BackupReader.open(file);
        assertThat(reader.origin()).isEqualTo(ORIGIN);
        List<BackupEntry> entries = new ArrayList<>();
        reader.read(entries::add);
        return entries;
    }

    @Test
    void theFormatIsStable() throws Exception {
        assertThat(Golden.hex(unpacked(written()))).isEqualTo(Golden.hex(Golden.bytes("backup-v1")));
        assertThat(read(packed(Golden.bytes("backup-v1")))).isEqualTo(ENTRIES);
    }

    @Test
    void anIncompleteFileIsRejected() throws Exception {
        byte[] whole = written();
        Path file = directory.resolve("cut");
        for (int length = 0; length < whole.length; length++) {
            Files.write(file, Arrays.copyOf(whole, length));
            assertThatThrownBy(() -> BackupReader.open(file))
                    .as("cut after %d bytes", length)
                    .isInstanceOf(StartupException.class)
                    .hasMessageStartingWith(file.toString());
        }
    }

    @Test
    void aDamagedFileIsRejected() throws Exception {
        byte[] damaged = written();
        damaged[damaged.length - 6] ^= 1;
        Path file = Files.write(directory.resolve("damaged"), damaged);

        assertThatThrownBy(() -> BackupReader.open(file)).isInstanceOf(StartupException.class);
    }

    @Test
    void otherFilesAndLaterVersionsAreRejected() throws Exception {
        Path text = Files.writeString(directory.resolve("text"), "no backup");
        assertThatThrownBy(() -> BackupReader.open(text)).hasMessageContaining("is not a backup");

        byte[] other = Golden.bytes("backup-v1");
        other[0] = 0;
        Path packed = packed(other);
        assertThatThrownBy(() -> BackupReader.open(packed)).hasMessageContaining("it is not a backup");

        byte[] later = Golden.bytes("backup-v1");
        later[Long.BYTES] = 2;
        Path newer = packed(later);
        assertThatThrownBy(() -> BackupReader.open(newer)).hasMessageContaining("the backup has version 2");

        Path missing = directory.resolve("missing");
        assertThatThrownBy(() -> BackupReader.open(missing)).hasMessageContaining("cannot be read");
    }
}
