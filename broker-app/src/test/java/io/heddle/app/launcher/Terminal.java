package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;

/** A command on its own terminal, which the program {@code script} provides and records. */
final class Terminal implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private final Process script;
    private final Path shown;

    private Terminal(Process script, Path shown) {
        this.script = script;
        this.shown = shown;
    }

    /** Runs the command in a shell. */
    static Terminal running(String command) throws IOException {
        Path shown = Files.createTempFile("heddle-terminal", ".txt");
        ProcessBuilder builder = Distribution.call(Path.of("script"), List.of("-qfec", command, "/dev/null"));
        builder.redirectErrorStream(true).redirectOutput(shown.toFile());
        return new Terminal(builder.start(), shown);
    }

    private String text() throws IOException {
        return Files.readString(shown, UTF_8);
    }

    void awaitShown(String text) {
        await(text).atMost(PATIENCE).pollInterval(Duration.ofMillis(20)).until(() -> text().contains(text));
    }

    void type(String text) throws IOException {
        OutputStream keyboard = script.getOutputStream();
        keyboard.write(text.getBytes(UTF_8));
        keyboard.flush();
    }

    /** Returns the terminal's whole output. */
    String awaitEnd() throws IOException, InterruptedException {
        assertThat(script.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS))
                .as(text())
                .isTrue();
        return text();
    }

    @Override
    public void close() throws IOException {
        script.descendants().forEach(ProcessHandle::destroy);
        script.destroy();
        Files.delete(shown);
    }
}
