package io.heddle.core.authentication.csv;

/**
 * A line that was not imported, or not completely; several lines if a quoted field has line breaks, for instance.
 *
 * @param line the number of the first line in the file, from 1
 * @param lastLine the number of the last line
 * @param message one sentence that says why; without values
 */
public record LineProblem(long line, long lastLine, String message) {}
