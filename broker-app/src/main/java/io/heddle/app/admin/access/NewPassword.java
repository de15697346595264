package io.heddle.app.admin.access;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.app.admin.request.PasswordFile;
import io.heddle.app.credentials.PasswordPrompt;
import java.nio.file.Path;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

final class NewPassword {
    private static final String NAME = "--new-password-file";

    @Option(
            names = NAME,
            paramLabel = "FILE",
            description =
                    "file whose only line is the new password (default: it is asked for, or with --password-file read"
                            + " as one line from standard input)")
    private @Nullable Path file;

    /** Throws StartupException if the file cannot be read, IllegalArgumentException if the input is no password. */
    String read() {
        return file == null
                ? new String(PasswordPrompt.readNew("New password: ").array(), UTF_8)
                : PasswordFile.read(NAME, file);
    }
}
