package io.heddle.app.launcher;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** The launcher in an unpacked distribution, with a fake JRE that prints its arguments and environment. */
final class UnpackedDistributionTest {
    private static final Path PROJECT = Path.of("..");
    private static final Duration PATIENCE = Duration.ofSeconds(30);

    private static final String JAVA = """
            #!/bin/sh
            printf 'argument %s\\n' "$@"
            env
            """;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path directory;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private Path home;

    @BeforeEach
    void unpack() throws IOException {
        home = Files.createDirectories(directory.resolve("a \"new\" heddle"));
        Files.createDirectories(home.resolve("lib/standalone"));
        Files.createDirectories(home.resolve("lib/native"));
        Files.createDirectories(home.resolve("lib/app"));
        for (String jar : List.of("b.jar", "C.jar", "a.jar", "readme.txt")) {
            Files.createFile(home.resolve("lib/app").resolve(jar));
        }
        Files.copy(PROJECT.resolve("heddle"), home.resolve("heddle"));
        Files.copy(PROJECT.resolve(".mvn/jdk25.sh"), home.resolve("lib/jdk25.sh"));
        Path java = Files.createDirectories(directory.resolve("jre/bin")).resolve("java");
        Files.writeString(java, JAVA);
        Files.setPosixFilePermissions(java, PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.writeString(directory.resolve("jre/release"), "JAVA_VERSION=\"25.0.1\"\n");
    }

    private Process start(Map<String, String> environment) throws IOException {
        return start(environment, "admin", "two words");
    }

    private Process start(Map<String, String> environment, String... arguments) throws IOException {
        List<String> command = new ArrayList<>(List.of(home.resolve("heddle").toString()));
        command.addAll(List.of(arguments));
        ProcessBuilder call = new ProcessBuilder(command).directory(directory.toFile());
        call.environment().clear();
        call.environment().put("PATH", "/usr/bin:/bin");
        call.environment().put("JAVA_HOME", directory.resolve("jre").toString());
        call.environment().putAll(environment);
        return call.start();
    }

    private List<String> started(Map<String, String> environment) throws Exception {
        return output(start(environment));
    }

    private static List<String> output(Process launcher) throws Exception {
        List<String> output = launcher.inputReader(UTF_8).readAllLines();
        String errors = launcher.errorReader(UTF_8).readAllAsString();
        assertThat(launcher.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(launcher.exitValue()).as(errors).isZero();
        return output;
    }

    private String refused(Map<String, String> environment) throws Exception {
        Process launcher = start(environment);
        String errors = launcher.errorReader(UTF_8).readAllAsString();
        assertThat(launcher.waitFor(PATIENCE.toMillis(), TimeUnit.MILLISECONDS)).isTrue();
        assertThat(launcher.exitValue()).isEqualTo(1);
        assertThat(errors).startsWith("Heddle cannot start: ").hasLineCount(1);
        return errors;
    }

    private String jar(String name) {
        return home.resolve("lib/app").resolve(name).toString();
    }

    @Test
    void aJreIsEnough() throws Exception {
        assertThat(started(Map.of()))
                .contains(
                        "argument -Dspring.profiles.include=standalone",
                        "argument -Dheddle.standalone.home=" + home.resolve("lib/standalone"),
                        "argument -Djava.library.path=" + home.resolve("lib/native"),
                        "argument admin",
                        "argument two words");
    }

    @Test
    void onlyBrokersAndLongCommandsUseTheOptimizingCompiler() throws Exception {
        String withoutC2 = "argument -XX:TieredStopAtLevel=1";
        Map<String, String> none = Map.of();
        assertThat(output(start(none, "credentials", "list"))).contains(withoutC2);
        assertThat(output(start(none, "admin", "nodes"))).contains(withoutC2);
        assertThat(output(start(none, "rules", "from-mosquitto", "acl"))).contains(withoutC2);
        assertThat(output(start(Map.of("HEDDLE_JAVA_OPTS", "-XX:TieredStopAtLevel=4"), "tls", "self-signed")))
                .containsSubsequence(withoutC2, "argument -XX:TieredStopAtLevel=4");
        assertThat(output(start(none, "credentials", "import", "devices.csv"))).doesNotContain(withoutC2);
        assertThat(output(start(none, "backup", "file"))).doesNotContain(withoutC2);
        assertThat(output(start(none, "--mqtt-port", "1884"))).doesNotContain(withoutC2);
    }

    @Test
    void theClassPathHasTheOrderOfTheNames() throws Exception {
        for (String locale : List.of("C", "C.UTF-8", "en_US.UTF-8")) {
            assertThat(started(Map.of("LC_ALL", locale)))
                    .contains("argument " + jar("C.jar") + ":" + jar("a.jar") + ":" + jar("b.jar"));
        }
    }

    @Test
    void serversOfTheOperatorReplaceTheBundledOnes() throws Exception {
        assertThat(started(Map.of("HEDDLE_STANDALONE", "off", "HEDDLE_STANDALONE_DATA_DIR", "/data")))
                .noneMatch(line -> line.contains("standalone") || line.startsWith("HEDDLE_STANDALONE"))
                .contains("argument admin");
        assertThat(started(Map.of("HEDDLE_STANDALONE", "on", "HEDDLE_STANDALONE_DATA_DIR", "/data")))
                .contains("argument -Dspring.profiles.include=standalone", "HEDDLE_STANDALONE_DATA_DIR=/data")
                .noneMatch(line -> line.startsWith("HEDDLE_STANDALONE="));
        assertThat(refused(Map.of("HEDDLE_STANDALONE", "no"))).contains("HEDDLE_STANDALONE is 'no': set it to off");
    }

    @Test
    void distributionWithoutServersStartsNone() throws Exception {
        Files.delete(home.resolve("lib/standalone"));

        assertThat(started(Map.of("HEDDLE_STANDALONE_DATA_DIR", "/data")))
                .noneMatch(line -> line.contains("standalone") || line.startsWith("HEDDLE_STANDALONE"));
    }

    @Test
    void settingIsReadFromTheFileThatItsVariableNames() throws Exception {
        Path password = Files.writeString(directory.resolve("a $secret"), "pass $word \"1\"\n");

        assertThat(started(Map.of("HEDDLE_POSTGRES_PASSWORD_FILE", password.toString())))
                .contains("HEDDLE_POSTGRES_PASSWORD=pass $word \"1\"")
                .noneMatch(line -> line.contains("_FILE"));
    }

    @Test
    void fileThatCannotBeReadOrHasTwoValuesIsReported() throws Exception {
        assertThat(refused(Map.of("HEDDLE_REDIS_URL_FILE", "/run/missing")))
                .contains(
                        "the file /run/missing, which HEDDLE_REDIS_URL_FILE in the environment names, cannot be read");
        assertThat(refused(Map.of("HEDDLE_REDIS_URL_FILE", "/run/missing", "HEDDLE_REDIS_URL", "redis://redis")))
                .contains("HEDDLE_REDIS_URL and HEDDLE_REDIS_URL_FILE are both set");
    }
}
