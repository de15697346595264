package io.heddle.core.authentication.csv;

import org.jspecify.annotations.Nullable;

/**
 * Credentials in a file, as they are written there. A null or empty name is absent.
 *
 * @param line the number of the first line in the file, from 1
 * @param lastLine the number of the last line
 * @param type the client type; null for the default
 * @param groups the names of the groups, which spaces separate; null for none
 * @param password the plain password; null if there is a hash instead
 * @param passwordHash the hash, in a format that {@link HashFormat} may know; null if there is a password instead
 * @param problem one sentence that says why the credentials cannot be read, without values, or null; then the other parts are of no use
 */
public record ImportLine(
        long line,
        long lastLine,
        @Nullable String clientId,
        @Nullable String userName,
        @Nullable String type,
        @Nullable String groups,
        @Nullable String password,
        @Nullable String passwordHash,
        @Nullable String problem) {
    public ImportLine {
        clientId = clientId == null || clientId.isEmpty() ? null : clientId;
        userName = userName == null || userName.isEmpty() ? null : userName;
    }

    /** Returns the report of lines that cannot be read. */
    public static ImportLine wrong(long line, long lastLine, String problem) {
        return new ImportLine(line, lastLine, null, null, null, null, null, null, problem);
    }
}
