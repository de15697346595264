package io.heddle.app.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.List;

/**
 * Exit status, output and duration of a process.
 *
 * @param output what it has written to standard output
 * @param errors what it has written to standard error
 * @param took from its start or from the signal that ended it
 */
public record Ended(int status, String output, String errors, Duration took) {
    /** Returns everything that it has written. */
    String text() {
        return output + errors;
    }

    /** Returns the only line of output after a failed start. */
    String onlySentence() {
        assertThat(status).as("exit status, with %s", errors).isEqualTo(1);
        assertThat(output).as("standard output").isEmpty();
        List<String> lines = errors.lines().toList();
        assertThat(lines).as("standard error").hasSize(1);
        return lines.getFirst();
    }
}
