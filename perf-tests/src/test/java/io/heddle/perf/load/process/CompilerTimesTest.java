package io.heddle.perf.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

final class CompilerTimesTest {
    private static final long OWN_PID = ProcessHandle.current().pid();

    @Test
    void theCompilersOfThisJvmHaveUsedSomeOfItsTime() {
        CompilerTimes times = CompilerTimes.of(OWN_PID);
        assertThat(times.nanosSince(new CompilerTimes(Map.of())))
                .isPositive()
                .isLessThan(new MeasuredProcess("own", OWN_PID, false).processorNanos());
        assertThat(CompilerTimes.of(OWN_PID).nanosSince(times)).isNotNegative();
    }

    @Test
    void threadsThatHaveBegunCountAndThoseThatHaveEndedDoNot() {
        CompilerTimes before = new CompilerTimes(Map.of(1L, 100L, 2L, 500L));
        assertThat(new CompilerTimes(Map.of(1L, 130L, 3L, 7L)).nanosSince(before))
                .isEqualTo(37);
    }

    @Test
    void otherProcessesHaveNone() throws IOException, InterruptedException {
        Process process = new ProcessBuilder("sh", "-c", "read line").start();
        try {
            assertThat(CompilerTimes.of(process.pid()).nanos()).isEmpty();
        } finally {
            process.destroyForcibly();
            assertThat(process.waitFor(10, TimeUnit.SECONDS)).isTrue();
        }
        assertThatThrownBy(() -> CompilerTimes.of(process.pid())).isInstanceOf(LoadException.class);
    }
}
