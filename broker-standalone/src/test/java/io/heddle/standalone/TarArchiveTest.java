package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.apache.commons.compress.archivers.tar.TarArchiveEntry;
import org.apache.commons.compress.archivers.tar.TarArchiveOutputStream;
import org.apache.commons.compress.archivers.tar.TarConstants;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class TarArchiveTest {
    @TempDir
    Path directory;

    private Path archive;
    private Path target;

    @BeforeEach
    void paths() {
        archive = directory.resolve("archive.tar.gz");
        target = directory.resolve("target");
    }

    @Test
    void unpacksFoldersFilesWithTheirModeAndLinks() throws IOException {
        write(
                new TarArchiveEntry("bin/"),
                file("bin/program", 0755, 1000),
                file("lib/plain", 0644, 0),
                link("lib/link", "plain"));

        TarArchive.unpack(archive, target);

        assertThat(target.resolve("bin/program")).isExecutable().hasContent("x".repeat(1000));
        assertThat(target.resolve("lib/plain")).isEmptyFile();
        assertThat(Files.isExecutable(target.resolve("lib/plain"))).isFalse();
        assertThat(Files.readSymbolicLink(target.resolve("lib/link"))).isEqualTo(Path.of("plain"));
    }

    @Test
    void rejectsNamesAndLinksThatLeadOutOfTheFolder() throws IOException {
        write(file("../outside", 0644, 1));
        assertThatThrownBy(() -> TarArchive.unpack(archive, target))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("../outside");

        write(link("link", "/etc"));
        assertThatThrownBy(() -> TarArchive.unpack(archive, target))
                .hasMessage("the link link leads out of the archive");
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    @Test
    void rejectsOtherTypesOfEntries() throws IOException {
        write(new TarArchiveEntry("device", TarConstants.LF_CHR));

        assertThatThrownBy(() -> TarArchive.unpack(archive, target)).hasMessageContaining("device is neither");
    }

    @Test
    void rejectsATruncatedArchive() throws IOException {
        write(file("file", 0644, 1000));
        byte[] whole;
        try (InputStream in = new GZIPInputStream(Files.newInputStream(archive))) {
            whole = in.readAllBytes();
        }
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            out.write(whole, 0, 900);
        }

        assertThatThrownBy(() -> TarArchive.unpack(archive, target)).isInstanceOf(IOException.class);
    }

    private void write(TarArchiveEntry... entries) throws IOException {
        try (TarArchiveOutputStream out =
                new TarArchiveOutputStream(new GZIPOutputStream(Files.newOutputStream(archive)))) {
            for (TarArchiveEntry entry : entries) {
                out.putArchiveEntry(entry);
                out.write("x".repeat((int) entry.getSize()).getBytes(StandardCharsets.US_ASCII));
                out.closeArchiveEntry();
            }
        }
    }

    private static TarArchiveEntry file(String name, int mode, int size) {
        TarArchiveEntry entry = new TarArchiveEntry(name);
        entry.setMode(mode);
        entry.setSize(size);
        return entry;
    }

    private static TarArchiveEntry link(String name, String target) {
        TarArchiveEntry entry = new TarArchiveEntry(name, TarConstants.LF_SYMLINK);
        entry.setLinkName(target);
        return entry;
    }
}
