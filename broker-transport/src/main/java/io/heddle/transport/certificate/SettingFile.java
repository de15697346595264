package io.heddle.transport.certificate;

import io.heddle.core.lifecycle.StartupException;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;

/** A file that a setting names, and its content. Immutable. */
final class SettingFile {
    private static final long MAXIMUM_BYTES = 16L << 20;
    private static final String PEM_BEGIN = "-----BEGIN ";

    private final String setting;
    private final Path path;
    private final byte[] content;

    private SettingFile(String setting, Path path, byte[] content) {
        this.setting = setting;
        this.path = path;
        this.content = content;
    }

    /**
     * Reads a file. Throws StartupException if that is impossible.
     *
     * @param setting key of the setting
     */
    static SettingFile read(String setting, Path path) {
        try {
            if (Files.size(path) > MAXIMUM_BYTES) {
                throw new StartupException(
                        setting + " is " + path + ", which is larger than 16 MB: name a file with certificates", null);
            }
            return new SettingFile(setting, path, Files.readAllBytes(path));
        } catch (NoSuchFileException e) {
            throw new StartupException(
                    setting + " is " + path + ", which does not exist: correct the path, or create the file", e);
        } catch (AccessDeniedException e) {
            throw new StartupException(
                    setting + " is " + path + ", which user " + System.getProperty("user.name")
                            + " may not read: change its owner or its permissions",
                    e);
        } catch (IOException e) {
            throw new StartupException(
                    setting + " is " + path + ", which cannot be read (" + e.getMessage() + "): correct the path", e);
        }
    }

    Path path() {
        return path;
    }

    InputStream stream() {
        return new ByteArrayInputStream(content);
    }

    /** Returns whether this is a text with at least one block of PEM. */
    boolean isPem() {
        return text().contains(PEM_BEGIN);
    }

    String text() {
        return new String(content, StandardCharsets.ISO_8859_1);
    }

    /**
     * Returns the error for a content that cannot be used.
     *
     * @param problem a clause such as "has no certificate"
     * @param remedy what to do
     */
    StartupException wrong(String problem, String remedy, @Nullable Throwable cause) {
        return new StartupException(setting + " is " + path + ", which " + problem + ": " + remedy, cause);
    }

    /** Without the content. */
    @Override
    public String toString() {
        return setting + "=" + path;
    }
}
