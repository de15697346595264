package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Builds of the launcher in a source checkout, with a fake Maven and a fake JDK that record their calls. */
final class CheckoutTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Path PROJECT = Path.of("..");

    /** Waits for the outcome in the pipe, and then creates the files of a real build. */
    private static final String BUILD = """
            #!/bin/sh
            echo "$*" >>builds
            read -r go <go
            [ "$go" = go ] || exit 1
            mkdir -p broker-app/target/distribution/lib/app broker-app/target/classes broker-core/target/classes
            cat broker-*/src/main/* >broker-app/target/distribution/lib/app/heddle-app.jar
            touch broker-app/target/heddle.jar.original
            echo 'echo created >"${0%.sh}.log"; exit 1' >broker-app/target/distribution/lib/start-cache.sh
            """;

    private static final String FIRST_SOURCE = "broker-app/src/main/First.java";
    private static final String SECOND_SOURCE = "broker-core/src/main/Second.java";

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
        Files.createDirectories(checkout.resolve("broker-core/src/main"));
        Files.createFile(checkout.resolve("pom.xml"));
        Files.writeString(checkout.resolve(FIRST_SOURCE), "first");
        Files.writeString(checkout.resolve(SECOND_SOURCE), "second");
        Files.createFile(checkout.resolve("broker-core/pom.xml"));
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
        // Neither is the name of a setting.
        call.environment().put("MANY_LINES", "1\nheddle.lines=no\n");
        call.environment().put("heddler.is", "no");
        return call.start();
    }

    private static String output(Process launcher) throws IOException, InterruptedException {
        assertThat(launcher.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        String errors = new String(launcher.getErrorStream().readAllBytes(), UTF_8);
        assertThat(launcher.exitValue()).as(errors).isZero();
        return new String(launcher.getInputStream().readAllBytes(), UTF_8);
    }

    @Test
    void concurrentFirstStartsBuildOnceAndBothStart() throws Exception {
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

    /** Starts, expects a build, and decides its outcome. */
    private void startWithBuild(int number, String outcome) throws Exception {
        Process launcher = start();
        awaitBuild(launcher, number);
        Files.writeString(checkout.resolve("go"), outcome + "\n");
        assertThat(launcher.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(launcher.exitValue()).isEqualTo(outcome.equals("go") ? 0 : 1);
    }

    private void awaitBuild(Process launcher, int number) {
        await().atMost(PATIENCE).until(() -> !launcher.isAlive() || builds() == number);
        assertThat(launcher.isAlive()).as("it builds").isTrue();
    }

    private int builds() throws IOException {
        Path builds = checkout.resolve("builds");
        return Files.exists(builds) ? Files.readAllLines(builds).size() : 0;
    }

    private void startWithoutBuild() throws Exception {
        int before = builds();
        assertThat(output(start())).startsWith("started");
        assertThat(builds()).isEqualTo(before);
    }

    private void setTime(String source, Instant time) throws IOException {
        Files.setLastModifiedTime(checkout.resolve(source), FileTime.from(time));
    }

    @Test
    void unchangedSourcesAreBuiltOnce() throws Exception {
        startWithBuild(1, "go");

        startWithoutBuild();
    }

    @Test
    void deletedSourceIsBuilt() throws Exception {
        startWithBuild(1, "go");

        Files.delete(checkout.resolve(SECOND_SOURCE));

        startWithBuild(2, "go");
        startWithoutBuild();
    }

    /** As after unpacking an earlier version. Maven compiles only sources that are newer than their classes. */
    @Test
    void sourceWithAnOlderTimeIsBuiltWithoutOldClassesOfItsModule() throws Exception {
        startWithBuild(1, "go");
        Path changed = Files.createFile(checkout.resolve("broker-core/target/classes/Second.class"));
        Path unchanged = Files.createFile(checkout.resolve("broker-app/target/classes/First.class"));

        Files.writeString(checkout.resolve(SECOND_SOURCE), "an earlier version");
        setTime(SECOND_SOURCE, Instant.EPOCH);

        startWithBuild(2, "go");
        assertThat(changed).doesNotExist();
        assertThat(unchanged).exists();
        startWithoutBuild();
    }

    @Test
    void sourceEditedDuringTheBuildIsBuiltAtTheNextStart() throws Exception {
        Process launcher = start();
        awaitBuild(launcher, 1);
        Files.writeString(checkout.resolve(FIRST_SOURCE), "edited");
        Files.writeString(checkout.resolve("go"), "go\n");
        assertThat(output(launcher)).startsWith("started");

        startWithBuild(2, "go");
        startWithoutBuild();
    }

    @Test
    void failedBuildIsRepeatedAlsoWithTheEarlierSources() throws Exception {
        startWithBuild(1, "go");
        Files.writeString(checkout.resolve(FIRST_SOURCE), "broken");
        startWithBuild(2, "fail");

        Files.writeString(checkout.resolve(FIRST_SOURCE), "first");

        startWithBuild(3, "go");
        startWithoutBuild();
    }

    @Test
    void distributionBuiltByMavenIsStartedUntilSourcesChange() throws Exception {
        startWithBuild(1, "go");
        setTime("broker-app/target/heddle.jar.original", Instant.now());

        startWithoutBuild();

        Files.delete(checkout.resolve(SECOND_SOURCE));
        startWithBuild(2, "go");
    }

    @Test
    void buildCreatesTheStartCachesAndStartsWithoutThemIfThatFails() throws Exception {
        startWithBuild(1, "go");

        Path log = checkout.resolve("broker-app/target/distribution/lib/start-cache.log");
        assertThat(log).content().isEqualTo("created\n");
        Files.delete(log);
        startWithoutBuild();
        assertThat(log).doesNotExist();
    }

    @Test
    void closedStandardOutputIsReportedBeforeABuild() throws Exception {
        ProcessBuilder call = new ProcessBuilder("sh", "-c", "exec ./heddle >&-").directory(checkout.toFile());

        Process launcher = call.start();

        assertThat(new String(launcher.getErrorStream().readAllBytes(), UTF_8))
                .startsWith("Heddle cannot start: standard output is closed")
                .hasLineCount(1);
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(builds()).isZero();
    }

    @Test
    void programGetsALocaleWithNonAsciiLetters() throws Exception {
        Process launcher = start();
        await().atMost(PATIENCE).until(() -> Files.exists(checkout.resolve("builds")));
        Files.writeString(checkout.resolve("go"), "go\n");

        assertThat(output(launcher)).isEqualTo("started with C.UTF-8\n");
    }

    private String refusedIn(String name, String value) throws Exception {
        ProcessBuilder call = new ProcessBuilder("./heddle").directory(checkout.toFile());
        call.environment().put(name, value);

        Process launcher = call.start();

        String errors = new String(launcher.getErrorStream().readAllBytes(), UTF_8);
        assertThat(launcher.waitFor()).isEqualTo(1);
        assertThat(builds()).isZero();
        return errors;
    }

    @Test
    void variableThatShellsDropIsReportedBeforeABuild() throws Exception {
        for (String name : List.of("heddle.mqtt.prot", "Heddle.mqtt.port", "HEDDLE-MQTT-PORT", "logging.level.root")) {
            assertThat(refusedIn(name, "1\n2"))
                    .startsWith("Heddle cannot start: the variable " + name + " in the environment would be ignored")
                    .contains("HEDDLE_MQTT_PORT")
                    .hasLineCount(1);
        }
    }
}
