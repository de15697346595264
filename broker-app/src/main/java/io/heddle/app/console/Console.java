package io.heddle.app.console;

import java.io.PrintStream;

/** What the program tells the person who started it, apart from the log. Any thread. */
public final class Console {
    private static final PrintStream OUT = System.out;
    private static final PrintStream ERR = System.err;

    private Console() {}

    /**
     * Prints lines to standard output. Throws UnwritableOutputException when they, or earlier ones, did not get there; with a pipe
     * that nobody reads this may be known only at the next call.
     */
    public static void print(String text) {
        OUT.println(text);
        // Flushes, too.
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
