package io.heddle.standalone.directory;

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

/** Files and folders that only the broker's user may access. A file is replaced atomically, so readers never see a partial file. */
public final class PrivateFiles {
    /** The mode of folders. */
    static final Set<PosixFilePermission> FOR_OWNER = PosixFilePermissions.fromString("rwx------");

    /** The suffix of a file while it is being written. */
    static final String TEMPORARY = ".next";

    private static final FileAttribute<Set<PosixFilePermission>> FILE =
            PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------"));
    private static final FileAttribute<Set<PosixFilePermission>> DIRECTORY =
            PosixFilePermissions.asFileAttribute(FOR_OWNER);

    private PrivateFiles() {}

    public static void write(Path file, String content) throws IOException {
        Path next = file.resolveSibling(file.getFileName() + TEMPORARY);
        Files.deleteIfExists(next);
        Files.createFile(next, FILE);
        Files.writeString(next, content, StandardOpenOption.WRITE);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
    }

    public static void write(Path file, Properties properties) throws IOException {
        StringWriter text = new StringWriter();
        properties.store(text, null);
        write(file, text.toString());
    }

    /** Empty if the file does not exist. Throws DamagedFileException if it is not a properties file. */
    public static Properties read(Path file) throws IOException {
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

    public static void createDirectories(Path directory) throws IOException {
        Files.createDirectories(directory, DIRECTORY);
    }
}
