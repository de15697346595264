package io.heddle.app.admin.request;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.ControlCharacters;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** A file whose only line is a password. */
public final class PasswordFile {
    private PasswordFile() {}

    /**
     * @param option that names the file
     * @throws StartupException if the file cannot be read, or does not have one line
     */
    public static String read(String option, Path file) {
        String name = option + " " + ControlCharacters.escaped(file.toString());
        try {
            String text = Files.readString(file);
            if (text.lines().count() != 1) {
                throw new StartupException(
                        name + " does not have one line: write the password into it as its only line", null);
            }
            return text.lines().findFirst().orElseThrow();
        } catch (IOException e) {
            throw new StartupException(name + " cannot be read: name a file in UTF-8 with the password", e);
        }
    }
}
