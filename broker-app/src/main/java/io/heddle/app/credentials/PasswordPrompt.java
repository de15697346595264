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
 * Reads a new password: twice and unseen from a terminal, or as one line from standard input. Where the output goes does not
 * matter; Java's own console wants that to be a terminal as well.
 */
final class PasswordPrompt {
    private final BufferedReader input = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8));

    private PasswordPrompt() {}

    static BinaryData read() {
        try {
            PasswordPrompt prompt = new PasswordPrompt();
            String password = TerminalEcho.isTerminal() ? prompt.ask() : onlyLine(prompt.input);
            if (password == null || password.isEmpty()) {
                throw new IllegalArgumentException("the password must not be empty");
            }
            String fault = MqttText.fault(password);
            if (fault != null) {
                throw new IllegalArgumentException("the password " + fault);
            }
            return BinaryData.wrap(password.getBytes(StandardCharsets.UTF_8));
        } catch (IOException e) {
            throw new UncheckedIOException("the password could not be read from standard input", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new StartupException("the command was interrupted", e);
        }
    }

    /**
     * The line that the input consists of, without its end. A second one would be ignored, and with it perhaps the better part of
     * what somebody takes for the password.
     *
     * @throws IllegalArgumentException when anything follows, or the line is longer than any password
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
                        "standard input has more than one line: the password is one line, and nothing follows it");
            }
        }
        return line.toString();
    }

    private @Nullable String ask() throws IOException, InterruptedException {
        try (TerminalEcho _ = TerminalEcho.off()) {
            String first = ask("Password: ");
            String second = first == null ? null : ask("Again: ");
            if (first != null && !first.equals(second)) {
                throw new IllegalArgumentException("the two passwords are not the same");
            }
            return first;
        }
    }

    /** On standard error, so that it is seen when the output goes elsewhere. */
    private @Nullable String ask(String question) throws IOException {
        System.err.print(question);
        System.err.flush();
        String answer = line();
        // The line break of the one who typed was not shown either.
        System.err.println();
        return answer;
    }

    private @Nullable String line() throws IOException {
        return input.readLine();
    }
}
