package io.heddle.app.wiring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.condition.OS.LINUX;

import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.io.TempDir;

final class LocalProcessesTest {
    @Test
    @EnabledOnOs(LINUX)
    void thisProcessHasNotEnded() {
        LocalProcesses processes = LocalProcesses.ofThisMachine();

        assertThat(processes.self()).matches("[0-9a-f-]{36}/[0-9]+/[0-9]+/[0-9]+/[0-9]+");
        assertThat(processes.hasEnded(processes.self())).isFalse();
    }

    @Test
    @EnabledOnOs(LINUX)
    void aProcessHasEndedWhenItsIdIsFreeOrBelongsToALaterOne() throws Exception {
        LocalProcesses processes = LocalProcesses.ofThisMachine();
        String self = processes.self();
        Process other = new ProcessBuilder("sleep", "60").start();
        String visible = self.substring(0, self.lastIndexOf('/', self.lastIndexOf('/') - 1) + 1);
        String sameIdAndAnotherStart = visible + other.pid() + "/1";
        assertThat(processes.hasEnded(sameIdAndAnotherStart)).isTrue();

        other.destroyForcibly().waitFor();

        assertThat(processes.hasEnded(sameIdAndAnotherStart)).isTrue();
        assertThat(processes.hasEnded(self)).isFalse();
    }

    @Test
    @EnabledOnOs(LINUX)
    void nothingIsKnownOfProcessesOfOtherMachinesUsersAndContainers() {
        LocalProcesses processes = LocalProcesses.ofThisMachine();
        String[] parts = processes.self().split("/", -1);

        for (int i = 0; i < 3; i++) {
            String[] other = parts.clone();
            other[i] = "1" + other[i];
            other[3] = "999999999";
            assertThat(processes.hasEnded(String.join("/", other))).isFalse();
        }
        assertThat(processes.hasEnded("")).isFalse();
        assertThat(processes.hasEnded("10.0.0.5")).isFalse();
    }

    @Test
    void nothingIsKnownOnASystemWithoutProc(@TempDir Path empty) {
        LocalProcesses processes = LocalProcesses.of(empty);

        assertThat(processes.self()).isEmpty();
        assertThat(processes.hasEnded("")).isFalse();
        assertThat(processes.hasEnded("a/0/1/2/3")).isFalse();
    }
}
