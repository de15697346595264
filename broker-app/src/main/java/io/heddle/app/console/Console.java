package io.heddle.app.console;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
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

    /**
     * Prints what a reader may have seen enough of. As {@link #print}, but returns false if standard output is a pipe whose reader has ended, as
     * that of {@code | head}.
     */
    public static boolean printToReader(String text) {
        try {
            print(text);
            return true;
        } catch (UnwritableOutputException failure) {
            if (isWithoutReader()) {
                return false;
            }
            throw failure;
        }
    }

    private static boolean isWithoutReader() {
        // OUT hides why it has failed.
        try {
            new FileOutputStream(FileDescriptor.out).write('\n');
            return false;
        } catch (IOException failure) {
            return "Broken pipe".equals(failure.getMessage());
        }
    }

    /** Prints lines to standard error. */
    public static void printError(String text) {
        ERR.println(text);
        ERR.flush();
    }
}
