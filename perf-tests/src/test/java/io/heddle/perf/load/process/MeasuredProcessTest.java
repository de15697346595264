package io.heddle.perf.load.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.heddle.perf.load.LoadException;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class MeasuredProcessTest {
    private static final long OWN_PID = ProcessHandle.current().pid();

    @Test
    void namesAreOptional() {
        assertThat(MeasuredProcess.parse("123")).isEqualTo(new MeasuredProcess("pid-123", 123, false));
        assertThat(MeasuredProcess.parse("broker=123")).isEqualTo(new MeasuredProcess("broker", 123, false));
        assertThat(MeasuredProcess.parse("postgres=123+")).isEqualTo(new MeasuredProcess("postgres", 123, true));
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "broker", "broker=", "broker=x", "1 2"})
    void invalidProcessIsRejected(String text) {
        assertThatThrownBy(() -> MeasuredProcess.parse(text))
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("'" + text + "' is not a process");
    }

    @Test
    void timesAreParsedAfterANameWithAnyCharacters() {
        String stat =
                "42 (a) b (c)) S 1 42 42 0 -1 4194560 5 6 7 8 100 20 3 4 20 0 9 0 77 1000 200 18446744073709551615";
        assertThat(ProcStat.parse(stat)).isEqualTo(new ProcStat(120, 7));
    }

    @Test
    void processorTimeMatchesTheProcessClock() {
        long byTheClock = new OwnProcessor().processNanos();
        assertThat(new MeasuredProcess("own", OWN_PID, false).processorNanos())
                .isBetween(byTheClock - 50_000_000, byTheClock + 1_000_000_000);
    }

    @Test
    void memoryIsMoreThanTheHeapInUse() {
        long heap = Runtime.getRuntime().totalMemory() - Runtime.getRuntime().freeMemory();
        assertThat(new MeasuredProcess("own", OWN_PID, false).residentBytes()).isGreaterThan(heap / 2);
    }

    @Test
    void descendantsCountWhileTheyRunAndAfterwards() throws IOException, InterruptedException {
        MeasuredProcess shell;
        Process process = new ProcessBuilder(
                        "sh", "-c", "sh -c 'i=0; while [ $i -lt 300000 ]; do i=$((i+1)); done'; read line")
                .redirectErrorStream(true)
                .start();
        try {
            shell = new MeasuredProcess("shell", process.pid(), true);
            await().atMost(Duration.ofSeconds(30)).until(() -> shell.processorNanos() > 50_000_000);
            long alone = new MeasuredProcess("shell", process.pid(), false).processorNanos();
            assertThat(alone).isLessThan(shell.processorNanos());
            assertThat(shell.residentBytes()).isPositive();
        } finally {
            process.destroyForcibly();
            process.waitFor(10, TimeUnit.SECONDS);
        }
        assertThatThrownBy(shell::processorNanos)
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("Process " + process.pid() + " cannot be measured");
        assertThatThrownBy(shell::residentBytes)
                .isInstanceOf(LoadException.class)
                .hasMessageContaining("The memory of process " + process.pid() + " cannot be read");
    }
}
