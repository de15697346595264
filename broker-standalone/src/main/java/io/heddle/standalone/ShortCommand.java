package io.heddle.standalone;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** A program that runs to its end while the caller waits. */
final class ShortCommand {

    /** @param output what it wrote, errors included */
    record Result(int status, String output) {}

    private ShortCommand() {}

    static Result run(List<String> command) throws IOException, InterruptedException {
        return run(command, null, Map.of(), "");
    }

    /** @param input what it reads, as a whole */
    static Result run(List<String> command, @Nullable Path directory, Map<String, String> environment, String input)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        changeEnvironment(builder, environment);
        Process process = builder.start();
        try (OutputStream stdin = process.getOutputStream()) {
            stdin.write(input.getBytes(StandardCharsets.UTF_8));
        }
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return new Result(process.waitFor(), output);
    }

    /** @param changes to this process's own environment; an empty value removes the variable */
    static void changeEnvironment(ProcessBuilder builder, Map<String, String> changes) {
        changes.forEach((name, value) -> {
            if (value.isEmpty()) {
                builder.environment().remove(name);
            } else {
                builder.environment().put(name, value);
            }
        });
    }
}
