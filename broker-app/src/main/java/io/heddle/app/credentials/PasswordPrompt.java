package io.heddle.app.credentials;

import io.heddle.core.mqtt.BinaryData;
import java.io.BufferedReader;
import java.io.Console;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;

/** Reads a new password: twice and unseen from a terminal, or as one line from standard input. */
final class PasswordPrompt {
    private PasswordPrompt() {}

    static BinaryData read() {
        String password = Optional.ofNullable(System.console())
                .filter(Console::isTerminal)
                .map(PasswordPrompt::ask)
                .orElseGet(PasswordPrompt::line);
        if (password.isEmpty()) {
            throw new IllegalArgumentException("the password must not be empty");
        }
        return BinaryData.wrap(password.getBytes(StandardCharsets.UTF_8));
    }

    private static String ask(Console terminal) {
        char[] first = terminal.readPassword("Password: ");
        char[] second = terminal.readPassword("Again: ");
        if (first == null || second == null || !Arrays.equals(first, second)) {
            throw new IllegalArgumentException("the two passwords are not the same");
        }
        return new String(first);
    }

    private static String line() {
        try {
            String line = new BufferedReader(new InputStreamReader(System.in, StandardCharsets.UTF_8)).readLine();
            return line == null ? "" : line;
        } catch (IOException e) {
            throw new UncheckedIOException("the password could not be read from standard input", e);
        }
    }
}
