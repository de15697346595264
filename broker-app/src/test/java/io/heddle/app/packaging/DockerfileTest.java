package io.heddle.app.packaging;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The rules of docker/Dockerfile that a build does not check. {@code docker/check} builds and runs the images. */
final class DockerfileTest {
    private static final Pattern FROM = Pattern.compile("FROM (\\S+) AS (\\S+)");
    private static final Pattern COPY_FROM = Pattern.compile("COPY --from=(\\S+) .*");
    private static final Pattern PINNED_JRE = Pattern.compile(
            "ARG BASE_IMAGE=docker\\.io/library/eclipse-temurin:25\\.\\d+\\.\\d+_\\d+-jre-[a-z]+(@sha256:[0-9a-f]{64})?");

    /** Instructions, each in one line, without comments. */
    private List<String> instructions = List.of();

    @BeforeEach
    void read() throws IOException {
        String text = Files.readString(Path.of("..", "docker", "Dockerfile"))
                .replaceAll("(?m)^#.*\\n", "")
                .replaceAll("\\\\\\n\\s*", "");
        instructions = text.lines().filter(line -> !line.isBlank()).toList();
    }

    private List<String> of(String instruction) {
        return instructions.stream()
                .filter(line -> line.startsWith(instruction + " "))
                .toList();
    }

    /** Returns the instructions of a stage and, before them, of the stages that it begins with. */
    private List<String> stage(String name) {
        List<String> stage = new ArrayList<>();
        boolean inside = false;
        for (String line : instructions) {
            MatchResult from = FROM.matcher(line).results().findFirst().orElse(null);
            if (from != null) {
                inside = from.group(2).equals(name);
                if (inside && !from.group(1).startsWith("$")) {
                    stage.addAll(stage(from.group(1)));
                }
            } else if (inside) {
                stage.add(line);
            }
        }
        assertThat(stage).as(name).isNotEmpty();
        return stage;
    }

    @Test
    void theBaseIsAPinnedJreThatTheBuildMayReplace() {
        assertThat(instructions.getFirst()).matches(PINNED_JRE);
        List<String> stages = new ArrayList<>(List.of("${BASE_IMAGE}"));
        for (String line : of("FROM")) {
            MatchResult from = FROM.matcher(line).results().findFirst().orElseThrow();
            assertThat(stages).as(line).contains(from.group(1));
            stages.add(from.group(2));
        }
        for (String line : of("COPY")) {
            COPY_FROM.matcher(line).results().forEach(copy -> assertThat(stages).contains(copy.group(1)));
        }
        assertThat(stages).endsWith("broker");
    }

    @Test
    void imagesRunAsAFixedUserWithoutPrivileges() {
        for (String image : List.of("broker", "standalone")) {
            assertThat(stage(image)).endsWith("USER 10001:10001");
        }
    }

    @Test
    void imagesHaveAHealthCheckAndReceiveSignals() {
        for (String image : List.of("broker", "standalone")) {
            assertThat(stage(image))
                    .contains("ENTRYPOINT [\"/opt/heddle/heddle\"]")
                    .anyMatch(line ->
                            line.startsWith("HEALTHCHECK ") && line.endsWith("CMD [\"/opt/heddle/lib/ready.sh\"]"));
        }
        assertThat(Path.of("..", "packaging", "ready.sh")).isExecutable();
    }

    @Test
    void librariesAreInALayerBeforeTheProgram() {
        List<String> copies = stage("broker").stream()
                .filter(line -> line.startsWith("COPY "))
                .toList();

        assertThat(copies).hasSize(3);
        assertThat(copies.getFirst()).contains("/layers/libraries");
        assertThat(copies.get(1)).contains("/layers/application");
    }

    /** Each image redistributes software of other projects. */
    @Test
    void imagesHaveTheLicencesOfTheArchive() {
        assertThat(stage("layers"))
                .filteredOn(line -> line.startsWith("RUN "))
                .singleElement()
                .asString()
                .endsWith("mv heddle LICENSE NOTICE README.md CHANGELOG.md SECURITY.md THIRD-PARTY*.txt licenses sbom"
                        + " /layers/application/");
        for (String image : List.of("broker", "standalone")) {
            assertThat(stage(image)).contains("COPY --from=layers /layers/application /opt/heddle");
        }
    }

    @Test
    void nothingIsDownloadedAndFailingCommandsFailTheBuild() {
        assertThat(instructions).noneMatch(line -> line.startsWith("ADD ") || line.contains("apt-get"));
        assertThat(of("RUN")).isNotEmpty().allMatch(line -> line.startsWith("RUN set -eu;"));
    }

    @Test
    void everySettingOfAnImageExists() throws IOException {
        DocumentedSettings settings = DocumentedSettings.read();
        List<String> variables = of("ENV").stream()
                .flatMap(line ->
                        Pattern.compile("(HEDDLE_[A-Z_]+)=").matcher(line).results())
                .map(variable -> variable.group(1))
                .toList();

        assertThat(variables).hasSizeGreaterThan(3).allMatch(settings::contains);
    }
}
