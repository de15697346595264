package io.heddle.app.console;

import java.io.PrintStream;

/** Standard output and standard error of the process, which are separate from the log. Any thread. */
public final class Console {
    private static final PrintStream OUT = System.out;
    private static final PrintStream ERR = System.err;

    private Console() {}

    /**
     * Prints lines to standard output. Throws UnwritableOutputException if these or earlier lines could not be written. A pipe without a
     * reader may be detected only by the next call.
     */
    public static void print(String text) {
        OUT.println(text);
        // This also flushes.
        if (OUT.checkError()) {
            throw new UnwritableOutputException();
        }
    }

    /** Prints lines to standard error. */
    public static void printError(String text) {
        ERR.println(text);
        ERR.flush();
    }
}
