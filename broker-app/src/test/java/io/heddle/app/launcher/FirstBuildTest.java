package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in a source checkout that was not built yet, with a build and a JDK that only note what they are asked. */
final class FirstBuildTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path PROJECT = Path.of("..");

    /** Waits for the word to go on, and then leaves what the real build would. */
    private static final String BUILD = """
            #!/bin/sh
            echo "$*" >>builds
            read -r go <go
            mkdir -p broker-app/target/distribution/lib/app
            touch broker-app/target/heddle.jar.original
            """;

    private static final String JAVA = """
            #!/bin/sh
            echo "started with $LC_ALL"
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path checkout;

    @BeforeEach
    void copyTheLauncher() throws Exception {
        Files.createDirectories(checkout.resolve(".mvn"));
        Files.createDirectories(checkout.resolve("broker-app/src/main"));
        Files.createDirectories(checkout.resolve("broker-app/src/assembly"));
        Files.createFile(checkout.resolve("pom.xml"));
        Files.createFile(checkout.resolve("broker-app/pom.xml"));
        Files.copy(PROJECT.resolve(".mvn/jdk25.sh"), checkout.resolve(".mvn/jdk25.sh"));
        program("heddle", Files.readString(PROJECT.resolve("heddle")));
        program("mvnw", BUILD);
        program("jdk/bin/java", JAVA);
        program("jdk/bin/javac", JAVA);
        Files.writeString(checkout.resolve("jdk/release"), "JAVA_VERSION=\"25.0.1\"\n");
        assertThat(new ProcessBuilder("mkfifo", checkout.resolve("go").toString())
                        .start()
                        .waitFor())
                .isZero();
    }

    private void program(String name, String text) throws IOException {
        Path program = checkout.resolve(name);
        Files.createDirectories(program.getParent());
        Files.writeString(program, text);
        Files.setPosixFilePermissions(program, PosixFilePermissions.fromString("rwxr-xr-x"));
    }

    private Process start() throws IOException {
        ProcessBuilder call = new ProcessBuilder(checkout.resolve("heddle").toString());
        call.environment().put("JAVA_HOME", checkout.resolve("jdk").toString());
        call.environment().put("LC_ALL", "C");
        return call.start();
    }

    private static String output(Process launcher) throws IOException, InterruptedException {
        assertThat(launcher.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        String errors = new String(launcher.getErrorStream().readAllBytes(), UTF_8);
        assertThat(launcher.exitValue()).as(errors).isZero();
        return new String(launcher.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void twoFirstStartsAtOnceBuildOnceAndBothStart() throws Exception {
        Process first = start();
        await().atMost(PATIENCE).until(() -> Files.exists(checkout.resolve("builds")));
        Process second = start();
        await().atMost(PATIENCE)
                .until(() -> second.descendants()
                        .anyMatch(process -> process.info().command().orElse("").endsWith("/flock")));

        Files.writeString(checkout.resolve("go"), "go\n");

        assertThat(output(first)).startsWith("started");
        assertThat(output(second)).startsWith("started");
        assertThat(checkout.resolve("builds")).content().hasLineCount(1);
    }

    @Test
    void withoutALocaleThatHasLettersBeyondAsciiTheProgramGetsOne() throws Exception {
        Process launcher = start();
        await().atMost(PATIENCE).until(() -> Files.exists(checkout.resolve("builds")));
        Files.writeString(checkout.resolve("go"), "go\n");

        assertThat(output(launcher)).isEqualTo("started with C.UTF-8\n");
    }
}
