package io.heddle.core.authentication.csv;

/**
 * A line that was not imported.
 *
 * @param line its number in the file, from 1
 * @param message one sentence that says why; without values
 */
public record LineProblem(long line, String message) {}
