package io.heddle.app.console;

import java.io.PrintStream;

/** What the program tells the person who started it, apart from the log. Any thread. */
public final class Console {
    private static final PrintStream OUT = System.out;
    private static final PrintStream ERR = System.err;

    private Console() {}

    /** Prints lines to standard output. */
    public static void print(String text) {
        OUT.println(text);
        OUT.flush();
    }

    /** Prints lines to standard error. */
    public static void printError(String text) {
        ERR.println(text);
        ERR.flush();
    }
}
