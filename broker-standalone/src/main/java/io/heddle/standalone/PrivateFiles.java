package io.heddle.standalone;

import java.io.IOException;
import java.io.Reader;
import java.io.StringWriter;
import java.nio.charset.CharacterCodingException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Properties;
import java.util.Set;

/** Files and folders that only the broker's user may read. A file is replaced as a whole, so a reader never sees half of it. */
final class PrivateFiles {
    /** Of a folder. */
    static final Set<PosixFilePermission> FOR_OWNER = PosixFilePermissions.fromString("rwx------");

    /** What the name of a file ends with that is still being written. */
    static final String NEXT = ".next";

    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(FOR_OWNER);

    private PrivateFiles() {}

    static void write(Path file, String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + NEXT);
        Files.deleteIfExists(next);
        Files.createFile(next, FILE);
        Files.writeString(next, content, StandardOpenOption.WRITE);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    static void write(Path file, Properties properties) throws IOException {
        StringWriter text = new StringWriter();
        properties.store(text, null);
        write(file, text.toString());
    }

    /** Empty when there is no such file. Throws DamagedFileException when it is not one of properties. */
    static Properties read(Path file) throws IOException {
        Properties properties = new Properties();
        if (Files.exists(file)) {
            try (Reader reader = Files.newBufferedReader(file)) {
                properties.load(reader);
            } catch (IllegalArgumentException e) {
                throw new DamagedFileException("an invalid \\u escape", e);
            } catch (CharacterCodingException e) {
                throw new DamagedFileException("not text in UTF-8", e);
            }
        }
        return properties;
    }

    static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, DIRECTORY);
    }
}
