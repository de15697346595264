package io.heddle.app.credentials;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.Reader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/**
 * Prompt for a password: reads it without echo from a terminal, a new one twice, or as one line from standard input. Unlike Java's own
 * console, it works if the output is not a terminal.
 */
public final class PasswordPrompt {
    private static final String PASSWORD = "Password: ";

    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private PasswordPrompt() {}

    /** Returns a new password. Throws IllegalArgumentException if it cannot be used. */
    static BinaryData read() {
        return readNew(PASSWORD);
    }

    /**
     * Returns a new password. Throws IllegalArgumentException if it cannot be used.
     *
     * @param question what a terminal shows
     */
    public static BinaryData readNew(String question) {
        return read(question, true);
    }

    /** Returns the password of an existing user. Throws IllegalArgumentException if no password is one. */
    public static BinaryData readExisting() {
        return read(PASSWORD, false);
    }

    private static BinaryData read(String question, boolean isNew) {
        try {
            PasswordPrompt prompt = new PasswordPrompt();
            String password = TerminalEcho.isTerminal() ? prompt.ask(question, isNew) : onlyLine(prompt.input);
            if (password == null || password.isEmpty()) {
                throw new IllegalArgumentException("the password must not be empty");
            }
            String fault = MqttText.fault(password);
            if (fault != null) {
                throw new IllegalArgumentException("the password " + fault);
            }
            return BinaryData.wrap(password.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read the password from standard input", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted", e);
        }
    }

    /**
     * Returns the only line of the input, without its line break. A second line is an error, because it may be meant as a part of the
     * password.
     *
     * @throws IllegalArgumentException if there is more than one line
     */
    static String onlyLine(Reader input) throws IOException {
        StringBuilder line = new StringBuilder();
        int next = input.read();
        while (next >= 0 && next != '\n' && line.length() <= MqttText.MAXIMUM_BYTES) {
            line.append((char) next);
            next = input.read();
        }
        if (next == '\n') {
            if (!line.isEmpty() && line.charAt(line.length() - 1) == '\r') {
                line.setLength(line.length() - 1);
            }
            if (input.read() >= 0) {
                throw new IllegalArgumentException(
                        "standard input has more than one line: give the password as a single line");
            }
        }
        return line.toString();
    }

    private @Nullable String ask(String question, boolean isNew) throws IOException, InterruptedException {
        try (TerminalEcho _ = TerminalEcho.off()) {
            String first = ask(question);
            if (!isNew) {
                return first;
            }
            String second = first == null ? null : ask("Again: ");
            if (first != null && !first.equals(second)) {
                throw new IllegalArgumentException("the two passwords are not the same");
            }
            return first;
        }
    }

    /** Prints the prompt to standard error, so that it is visible if standard output is redirected. */
    private @Nullable String ask(String question) throws IOException {
        System.err.print(question);
        System.err.flush();
        String answer = line();
        // The line break that the user typed was not echoed.
        System.err.println();
        return answer;
    }

    private @Nullable String line() throws IOException {
        return input.readLine();
    }
}
