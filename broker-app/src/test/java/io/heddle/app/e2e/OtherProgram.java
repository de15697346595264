package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;

/** A program of another project, if it is on this machine. */
final class OtherProgram implements AutoCloseable {
    private static final int ENDS_WITHIN_SECONDS = 60;

    private final Process process;
    private final Path output;

    private OtherProgram(Process process, Path output) {
        this.process = process;
        this.output = output;
    }

    /** The exit status and everything that it has written. */
    record Ended(int status, String output) {}

    static boolean isOnPath(String program) {
        return Arrays.stream(System.getenv().getOrDefault("PATH", "").split(":"))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /** Starts a program that runs until it is closed. */
    static OtherProgram start(String... command) throws IOException {
        Path output = Files.createTempFile("heddle-", ".out");
        Process process = new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(output.toFile())
                .start();
        return new OtherProgram(process, output);
    }

    /** Runs a program to its end. */
    static Ended run(String... command) throws IOException, InterruptedException {
        try (OtherProgram program = start(command)) {
            if (!program.process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                throw new AssertionError(command[0] + " does not end; it has written: " + program.output());
            }
            return new Ended(program.process.exitValue(), program.output());
        }
    }

    boolean isRunning() {
        return process.isAlive();
    }

    /** Returns everything that it has written. */
    String output() throws IOException {
        return Files.readString(output, UTF_8);
    }

    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            if (!process.waitFor(ENDS_WITHIN_SECONDS, TimeUnit.SECONDS)) {
                process.destroyForcibly();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
        Files.deleteIfExists(output);
    }
}
