package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.File;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The distribution that the phase {@code package} has made, and the ways in which it is called. */
final class Distribution {
    /** The directory of the distribution. */
    static final Path DIRECTORY = Path.of("target", "distribution").toAbsolutePath();

    /** The file that a user runs. */
    static final Path LAUNCHER = DIRECTORY.resolve("heddle");

    /** The start cache of the broker. The build creates it before the integration tests. */
    static final Path START_CACHE = DIRECTORY.resolve("lib").resolve("broker.aot");

    private static final String WITHOUT_C2 = "-XX:TieredStopAtLevel=1";
    private static final String PORTS = "heddle.standalone.ports";
    private static final String OPTIONS = WITHOUT_C2 + " -Dheddle.standalone.kafka-options=" + WITHOUT_C2
            + (System.getProperty(PORTS) == null ? "" : " -D" + PORTS + "=" + System.getProperty(PORTS));

    private static final Duration COMMAND_WITHIN = Duration.ofMinutes(3);

    private Distribution() {}

    /** Returns the broker's class path, for a call of Java itself. It is the launcher's, which its start cache requires. */
    static String classPath() throws IOException {
        try (Stream<Path> jars = Files.list(DIRECTORY.resolve("lib").resolve("app"))) {
            return jars.map(Path::toString)
                    .filter(jar -> jar.endsWith(".jar"))
                    .sorted()
                    .collect(Collectors.joining(File.pathSeparator));
        }
    }

    /** As {@link #callAsUsersDo}, but without the C2 compiler, which costs the JVMs of the broker and of Kafka more than it saves. */
    static ProcessBuilder call(Path launcher, List<String> arguments) {
        ProcessBuilder builder = callAsUsersDo(launcher, arguments);
        builder.environment().put("HEDDLE_JAVA_OPTS", OPTIONS);
        return builder;
    }

    /** A call of the launcher from a shell in which nothing about Heddle or Java is set but JAVA_HOME. */
    static ProcessBuilder callAsUsersDo(Path launcher, List<String> arguments) {
        // Where a script has put this test into the background, Ctrl-C is ignored, and children would inherit that.
        List<String> command = new ArrayList<>(List.of("env", "--default-signal=INT", launcher.toString()));
        command.addAll(arguments);
        ProcessBuilder builder = new ProcessBuilder(command);
        builder.environment()
                .keySet()
                .removeIf(name -> name.startsWith("HEDDLE_")
                        || name.startsWith("SPRING_")
                        || name.equals("JAVA_TOOL_OPTIONS")
                        || name.equals("JDK_JAVA_OPTIONS"));
        // The poorest locale there is; the launcher has to make do with it.
        builder.environment().put("LC_ALL", "C");
        builder.environment().put("JAVA_HOME", System.getProperty("java.home"));
        return builder;
    }

    /** Runs a command that ends by itself, with the input on its standard input. */
    static Ended run(String input, String... arguments) throws IOException, InterruptedException {
        try (BrokerProcess process = BrokerProcess.start(call(LAUNCHER, Arrays.asList(arguments)))) {
            try (OutputStream standardInput = process.standardInput()) {
                standardInput.write(input.getBytes(UTF_8));
            }
            return process.awaitEnd(COMMAND_WITHIN);
        }
    }
}
