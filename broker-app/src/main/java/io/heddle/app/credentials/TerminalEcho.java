package io.heddle.app.credentials;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Disables the echo of the terminal on standard input until this is closed or the process ends, by Ctrl-C for instance. */
final class TerminalEcho implements AutoCloseable {
    private final String before;
    private final Thread restore = Thread.ofPlatform().name("heddle-terminal").unstarted(this::restore);

    private TerminalEcho(String before) {
        this.before = before;
    }

    /** Returns whether standard input is a terminal. */
    static boolean isTerminal() throws IOException, InterruptedException {
        return new ProcessBuilder("sh", "-c", "test -t 0")
                        .redirectInput(Redirect.INHERIT)
                        .start()
                        .waitFor()
                == 0;
    }

    /** Throws IllegalArgumentException if the echo cannot be disabled. */
    static TerminalEcho off() throws IOException, InterruptedException {
        TerminalEcho echo = new TerminalEcho(stty("-g"));
        Runtime.getRuntime().addShutdownHook(echo.restore);
        stty("-echo");
        return echo;
    }

    private void restore() {
        try {
            stty(before);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public void close() {
        restore();
        Runtime.getRuntime().removeShutdownHook(restore);
    }

    private static String stty(String argument) throws IOException, InterruptedException {
        Process stty;
        try {
            stty = new ProcessBuilder("stty", argument)
                    .redirectInput(Redirect.INHERIT)
                    .redirectErrorStream(true)
                    .start();
        } catch (IOException e) {
            throw noEcho(String.valueOf(e.getMessage()), e);
        }
        String output = new String(stty.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
        if (stty.waitFor() != 0) {
            throw noEcho(output, null);
        }
        return output;
    }

    private static IllegalArgumentException noEcho(String reason, @Nullable IOException cause) {
        return new IllegalArgumentException(
                "cannot disable the echo of the terminal (" + reason
                        + "): pass the password on standard input, from a file or a pipe",
                cause);
    }
}
