package io.heddle.standalone.process;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.jspecify.annotations.Nullable;

/** Runs a program while the caller waits. An interrupt of the caller kills the program. */
public final class ShortCommand {

    /** @param output standard output and standard error */
    public record Result(int status, String output) {}

    private ShortCommand() {}

    /** Runs a command without input in the current directory and environment. */
    public static Result run(List<String> command) throws IOException, InterruptedException {
        return run(command, null, Map.of(), "");
    }

    /**
     * @param environment see {@link #changeEnvironment}
     * @param input its whole standard input
     */
    public static Result run(
            List<String> command, @Nullable Path directory, Map<String, String> environment, String input)
            throws IOException, InterruptedException {
        ProcessBuilder builder = new ProcessBuilder(command).redirectErrorStream(true);
        if (directory != null) {
            builder.directory(directory.toFile());
        }
        changeEnvironment(builder, environment);
        Process process = builder.start();
        FutureTask<String> output =
                new FutureTask<>(() -> new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8));
        Thread.ofVirtual().name("heddle-standalone-output").start(output);
        try {
            try (OutputStream stdin = process.getOutputStream()) {
                stdin.write(input.getBytes(StandardCharsets.UTF_8));
            }
            int status = process.waitFor();
            return new Result(status, output.get());
        } catch (ExecutionException e) {
            throw new IOException("the output of " + command.getFirst() + " cannot be read", e.getCause());
        } catch (InterruptedException e) {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
            throw e;
        }
    }

    /** Applies changes to the environment of a process; an empty value removes the variable. */
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
