package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/** The distribution of the Maven phase {@code package}, and calls of its launcher. */
final class Distribution {
    /** The broker's class path, for calls of Java without the launcher. */
    static final String CLASS_PATH =
            Path.of("target", "distribution", "lib", "app").toAbsolutePath() + "/*";

    /** The launcher. */
    static final Path LAUNCHER = Path.of("target", "distribution", "heddle").toAbsolutePath();

    /** JVM options of the launcher's start cache; the first start creates them. */
    static final Path BROKER_OPTIONS =
            Path.of("target", "distribution", "lib", "broker.options").toAbsolutePath();

    private static final Duration COMMAND_WITHIN = Duration.ofMinutes(3);

    private Distribution() {}

    /** Like {@link #callAsUsersDo}, but without the second JIT compiler, which does not pay off in a JVM that lives for seconds. */
    static ProcessBuilder call(Path launcher, List<String> arguments) {
        ProcessBuilder builder = callAsUsersDo(launcher, arguments);
        builder.environment().put("HEDDLE_JAVA_OPTS", "-XX:TieredStopAtLevel=1");
        return builder;
    }

    /** Returns a call of the launcher with no environment variables of Heddle or Java but JAVA_HOME. */
    static ProcessBuilder callAsUsersDo(Path launcher, List<String> arguments) {
        // A test that a script runs in the background ignores Ctrl-C, and children would inherit that.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", launcher.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("HEDDLE_")
                        || name.startsWith("SPRING_")
                        || name.equals("JAVA_TOOL_OPTIONS")
                        || name.equals("JDK_JAVA_OPTIONS"));
        // The locale with the fewest characters.
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    /** Runs a command with this standard input; returns when the command has ended. */
    static Ended run(String input, String... arguments) throws IOException, InterruptedException {
        try (BrokerProcess process = BrokerProcess.start(call(LAUNCHER, Arrays.asList(arguments)))) {
            try (OutputStream standardInput = process.standardInput()) {
                standardInput.write(input.getBytes(UTF_8));
            }
            return process.awaitEnd(COMMAND_WITHIN);
        }
    }
}
