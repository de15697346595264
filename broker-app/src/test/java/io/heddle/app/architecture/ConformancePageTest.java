package io.heddle.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class ConformancePageTest {
    private static final String REWRITE =
            "docs/conformance-statements.md is not what the tests' @Conformance annotations"
                    + " yield; rewrite it with: ./mvnw -pl broker-app -am test -Dtest=ConformancePageTest -Dheddle.docs.write=true"
                    + " -Dsurefire.failIfNoSpecifiedTests=false";
    private static final String TESTS = "broker-core/src/test/java/io/heddle/core/";

    @TempDir
    Path root;

    @Test
    void thePageMatchesTheAnnotations() throws IOException {
        Project project = Project.here();
        Path page = project.root().resolve("docs").resolve("conformance-statements.md");
        String expected = ConformancePage.of(ConformanceAnnotations.of(project));
        if (Boolean.getBoolean("heddle.docs.write")) {
            Files.writeString(page, expected);
        }

        assertThat(page).as(REWRITE).content().isEqualTo(expected);
    }

    @Test
    void annotationsNameExistingStatements() {
        ConformanceAnnotations annotations = ConformanceAnnotations.of(Project.here());

        assertThat(ConformanceAnnotations.unknown(annotations.mqtt5(), ConformanceStatement.mqtt5()))
                .isEmpty();
        assertThat(ConformanceAnnotations.unknown(annotations.mqtt311(), ConformanceStatement.mqtt311()))
                .isEmpty();
    }

    @Test
    void annotationsOfEachFormAreFound() throws IOException {
        write(
                "    @Conformance(\"MQTT-1\")",
                "    @Test",
                "    void one() {}",
                "",
                "    @Conformance({",
                "        \"MQTT-1\",",
                "        \"MQTT-2\"",
                "    })",
                "    @ParameterizedTest",
                "    @ValueSource(ints = {0, 1})",
                "    void several(int each) throws Exception {}",
                "",
                "    @Conformance(",
                "            value = {\"MQTT-2\", \"MQTT-3\"},",
                "            mqtt311 = \"MQTT-1\")",
                "    public void both() {}",
                "",
                "    @Conformance(mqtt311 = {\"MQTT-1\", \"MQTT-9\"})",
                "    void older() {}");

        ConformanceAnnotations found = ConformanceAnnotations.of(new Project(root));

        assertThat(found.mqtt5())
                .hasToString("{MQTT-1=[Some.one, Some.several], MQTT-2=[Some.both, Some.several], MQTT-3=[Some.both]}");
        assertThat(found.mqtt311()).hasToString("{MQTT-1=[Some.both, Some.older], MQTT-9=[Some.older]}");
        assertThat(ConformanceAnnotations.unknown(
                        found.mqtt311(), List.of(new ConformanceStatement("MQTT-1", "1", "", ""))))
                .containsExactly("MQTT-9 of Some.older");
    }

    @Test
    void anAnnotationOutsideATestIsRejected() throws IOException {
        write("    @Conformance(\"MQTT-1\")", "    int field;", "", "    void notAnnotated() {}");

        assertThatIllegalStateException()
                .isThrownBy(() -> ConformanceAnnotations.of(new Project(root)))
                .withMessageContaining("Some.java has a @Conformance that cannot be read");
    }

    private void write(String... lines) throws IOException {
        Path file = root.resolve(TESTS + "Some.java");
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(root.resolve("broker-core").resolve("pom.xml"), "<project/>");
        Files.writeString(file, String.join("\n", lines));
    }
}
