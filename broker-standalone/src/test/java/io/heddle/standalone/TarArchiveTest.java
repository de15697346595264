package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.EOFException;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.GZIPOutputStream;
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
                entry("bin/", '5', "0000755", "", ""),
                entry("bin/program", '0', "0000755", "x".repeat(1000), ""),
                entry("lib/plain", '0', "0000644", "", ""),
                entry("lib/link", '2', "0000777", "", "plain"));

        TarArchive.unpack(archive, target);

        assertThat(target.resolve("bin/program")).isExecutable().hasContent("x".repeat(1000));
        assertThat(target.resolve("lib/plain")).isEmptyFile();
        assertThat(Files.isExecutable(target.resolve("lib/plain"))).isFalse();
        assertThat(Files.readSymbolicLink(target.resolve("lib/link"))).isEqualTo(Path.of("plain"));
    }

    @Test
    void refusesNamesAndLinksThatLeadOut() throws IOException {
        write(entry("../outside", '0', "0000644", "x", ""));
        assertThatThrownBy(() -> TarArchive.unpack(archive, target)).hasMessageContaining("leads out");

        write(entry("link", '2', "0000777", "", "/etc"));
        assertThatThrownBy(() -> TarArchive.unpack(archive, target)).hasMessageContaining("leads out");
        assertThat(directory.resolve("outside")).doesNotExist();
    }

    @Test
    void refusesWhatIsNeitherFileNorFolderNorLink() throws IOException {
        write(entry("device", '3', "0000644", "", ""));
        assertThatThrownBy(() -> TarArchive.unpack(archive, target)).hasMessageContaining("device is neither");
    }

    @Test
    void refusesAnArchiveThatEndsWithinAFile() throws IOException {
        byte[] whole = entry("file", '0', "0000644", "x".repeat(1000), "");
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            out.write(whole, 0, 900);
        }
        assertThatThrownBy(() -> TarArchive.unpack(archive, target)).isInstanceOf(EOFException.class);
    }

    private void write(byte[]... entries) throws IOException {
        try (OutputStream out = new GZIPOutputStream(Files.newOutputStream(archive))) {
            for (byte[] entry : entries) {
                out.write(entry);
            }
            out.write(new byte[1024]);
        }
    }

    private static byte[] entry(String name, char type, String mode, String content, String link) {
        byte[] entry = new byte[512 + (content.length() + 511) / 512 * 512];
        put(entry, 0, name);
        put(entry, 100, mode);
        put(entry, 124, String.format("%011o", content.length()));
        entry[156] = (byte) type;
        put(entry, 157, link);
        put(entry, 257, "ustar");
        put(entry, 512, content);
        return entry;
    }

    private static void put(byte[] entry, int at, String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, entry, at, bytes.length);
    }
}
