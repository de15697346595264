package io.heddle.app.launcher;

import java.io.BufferedReader;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.OptionalLong;
import java.util.concurrent.CopyOnWriteArrayList;

/** Output of a process on one stream, collected line by line by a separate thread. Thread-safe. */
final class Output {
    private record Line(String text, long nanos) {}

    private final List<Line> lines = new CopyOnWriteArrayList<>();
    private final Thread reader;

    private Output(BufferedReader stream, String name) {
        // Not a virtual thread, which keeps its carrier while it reads from a pipe.
        reader = Thread.ofPlatform().daemon().name(name).start(() -> collect(stream));
    }

    static Output of(BufferedReader stream, String name) {
        return new Output(stream, name);
    }

    private void collect(BufferedReader stream) {
        try (stream) {
            for (String line = stream.readLine(); line != null; line = stream.readLine()) {
                lines.add(new Line(line, System.nanoTime()));
            }
        } catch (IOException closed) {
            lines.add(new Line("(the stream broke: " + closed + ")", System.nanoTime()));
        }
    }

    String text() {
        StringBuilder text = new StringBuilder();
        lines.forEach(line -> text.append(line.text()).append('\n'));
        return text.toString();
    }

    /** Returns the {@link System#nanoTime} at which this exact line arrived; empty if it has not. */
    OptionalLong arrivalOf(String text) {
        return lines.stream()
                .filter(line -> line.text().equals(text))
                .mapToLong(Line::nanos)
                .findFirst();
    }

    /** Waits for the end of the stream. */
    void awaitEnd(Duration timeout) throws InterruptedException {
        if (!reader.join(timeout)) {
            throw new AssertionError("The process has ended, but something still holds " + reader.getName());
        }
    }
}
