package io.heddle.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.standalone.directory.StandaloneException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LeftoverProcessesTest {
    @TempDir
    Path run;

    @Test
    void damagedRecordIsNamedWithTheRemedyAndKept() throws IOException {
        Path file = Files.writeString(run.resolve("redis-0.process"), "child=\\uzz\n");

        assertThatThrownBy(() -> LeftoverProcesses.stop(run))
                .isInstanceOf(StandaloneException.class)
                .hasMessageContainingAll("The file " + file, "is damaged (an invalid \\u escape)", "delete it");
        assertThat(file).exists();
    }

    @Test
    void recordOfAnEndedProcessIsDeleted() throws Exception {
        Path file = Files.writeString(run.resolve("redis-0.process"), "child=1 0 an-earlier-boot\n");

        LeftoverProcesses.stop(run);

        assertThat(file).doesNotExist();
    }
}
