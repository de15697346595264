package io.heddle.app.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SourceRulesTest {
    private static final String CORE = "broker-core/src/main/java/io/heddle/core/";

    @TempDir
    Path root;

    @Test
    void noClassIsTooLong() {
        assertThat(SourceRules.tooLong(Project.here())).isEmpty();
    }

    @Test
    void aClassThatIsTooLongIsFound() throws Exception {
        write(CORE + "Long.java", "// line\n".repeat(401));
        write(CORE + "Fine.java", "// line\n".repeat(400));

        assertThat(SourceRules.tooLong(new Project(root)))
                .singleElement()
                .asString()
                .contains("io/heddle/core/Long.java has 401 lines");
    }

    @Test
    void everyPackageHasADescription() {
        assertThat(SourceRules.packagesWithoutDescription(Project.here())).isEmpty();
    }

    @Test
    void aMissingOrTooShortPackageDescriptionIsFound() throws Exception {
        write(CORE + "mqtt/QoS.java", "");
        write(CORE + "client/package-info.java", "@NullMarked package io.heddle.core.client;");
        write(CORE + "message/package-info.java", "/** Messages. */ package io.heddle.core.message;");
        write(
                CORE + "quota/package-info.java",
                "/**\n * One.\n *\n * <p>Two.\n * Three.\n */\npackage io.heddle.core.quota;");

        assertThat(SourceRules.packagesWithoutDescription(new Project(root)))
                .satisfiesExactly(
                        client -> assertThat(client).contains("client/package-info.java says too little"),
                        message -> assertThat(message).contains("message/package-info.java says too little"),
                        mqtt -> assertThat(mqtt).contains("mqtt/package-info.java is missing"));
    }

    @Test
    void sourcesAreInThePackageOfTheirModule() {
        assertThat(SourceRules.sourcesOutsideTheirModulesPackage(Project.here()))
                .isEmpty();
    }

    @Test
    void aSourceInThePackageOfAnotherModuleIsFound() throws Exception {
        write("broker-transport/src/main/java/io/heddle/app/Climber.java", "");
        write("broker-transport/src/main/java/io/heddle/transport/Fine.java", "");

        assertThat(SourceRules.sourcesOutsideTheirModulesPackage(new Project(root)))
                .singleElement()
                .asString()
                .contains("Climber.java is not below broker-transport/src/main/java/io/heddle/transport");
    }

    @Test
    void suppressionsAreNarrowAndHaveAReason() {
        assertThat(SourceRules.unexplainedSuppressions(Project.here())).isEmpty();
    }

    @Test
    void aSuppressionThatIsBroadOrHasNoReasonIsFound() throws Exception {
        write(CORE + "A.java", "@SuppressWarnings(\"all\") // the reason\nclass A {}");
        write(CORE + "B.java", "class B {\n    @SuppressWarnings(\"x\")\n    int b;\n}");
        write(CORE + "C.java", "class C {\n    // the reason\n    @SuppressWarnings(\"x\")\n    int c;\n}");
        write(CORE + "D.java", "class D {\n    @SuppressWarnings(\"x\") // the reason\n    int d;\n}");

        assertThat(SourceRules.unexplainedSuppressions(new Project(root)))
                .satisfiesExactly(
                        a -> assertThat(a).contains("A.java:1 suppresses a warning for a whole class"),
                        b -> assertThat(b).contains("B.java:2 suppresses a warning without a comment"));
    }

    @Test
    void noMergeConflictIsLeft() {
        assertThat(SourceRules.mergeConflicts(Project.here())).isEmpty();
    }

    @Test
    void aMergeConflictInAJavadocIsFound() throws Exception {
        write("broker-core/src/test/java/A.java", "/**\n<<<<<<< HEAD\n * a\n=======\n * b\n>>>>>>> x\n */");
        write("broker-core/src/test/java/B.java", "class B { int b = 1 << 7; }");

        assertThat(SourceRules.mergeConflicts(new Project(root)))
                .singleElement()
                .asString()
                .contains("A.java has a merge conflict in it");
    }

    @Test
    void testsSayWhyTheyStartProcesses() {
        assertThat(SourceRules.unexplainedProcesses(Project.here())).isEmpty();
    }

    @Test
    void aTestThatDoesNotSayWhyItStartsAProcessIsFound() throws Exception {
        write("broker-app/src/test/java/AIT.java", "class AIT { BrokerProcess broker; }");
        write(
                "broker-app/src/test/java/BIT.java",
                "@OwnProcesses(because = \"x\") class BIT { BrokerProcess broker; }");
        write("broker-app/src/test/java/CIT.java", "class CIT { BrokerUnderTest broker; }");

        assertThat(SourceRules.unexplainedProcesses(new Project(root)))
                .singleElement()
                .asString()
                .contains("AIT.java starts a broker as a process");
    }

    private void write(String path, String text) throws IOException {
        Path file = root.resolve(path);
        Files.createDirectories(file.resolveSibling("."));
        Files.writeString(root.resolve(path.substring(0, path.indexOf('/'))).resolve("pom.xml"), "<project/>");
        Files.writeString(file, text);
    }
}
