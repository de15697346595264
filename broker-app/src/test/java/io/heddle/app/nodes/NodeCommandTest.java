package io.heddle.app.nodes;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class NodeCommandTest {
    @Test
    void aNodeRunsTheSameProgramWithItsOwnSettings() {
        List<String> words = List.of("/jdk/java", "-Xss1m", "-cp", "lib/*", "Main", "--nodes", "4", "--bind=::1", "");

        List<String> command = NodeCommand.of(words, 3, 4).with(List.of("--heddle.node.id=node-2"));

        assertThat(command)
                .endsWith(
                        "/jdk/java",
                        "-XX:MaxRAMPercentage=12.5",
                        "-XX:+UnlockDiagnosticVMOptions",
                        "-XX:ArchiveRelocationMode=0",
                        "-Dheddle.standalone.supervised=true",
                        "-Xss1m",
                        "-cp",
                        "lib/*",
                        "Main",
                        "--heddle.node.id=node-2")
                .doesNotContain("--nodes", "4");
    }

    @Test
    void thisProcessHasACommandLine() {
        assertThat(NodeCommand.ofThisProcess(0, 2).with(List.of())).anyMatch(word -> word.endsWith("java"));
    }
}
