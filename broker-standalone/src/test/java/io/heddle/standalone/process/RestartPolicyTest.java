package io.heddle.standalone.process;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.directory.DiskSpace;
import io.heddle.standalone.process.RestartPolicy.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
    private long free = 1L << 40;
    private final RestartPolicy policy = new RestartPolicy(new DiskSpace(Path.of("/nowhere"), folder -> free));

    @Test
    void pauseDoublesUntilTheFifthExitWithinAMinute() {
        assertThat(exitAt(0)).isEqualTo(after(200));
        assertThat(exitAt(1)).isEqualTo(after(400));
        assertThat(exitAt(2)).isEqualTo(after(800));
        assertThat(exitAt(3)).isEqualTo(after(1600));
        assertThat(exitAt(59)).isEqualTo(new Decision.GiveUp());
    }

    @Test
    void exitsOlderThanAMinuteAreForgotten() {
        for (int minute = 0; minute < 20; minute++) {
            assertThat(exitAt(61L * minute)).isEqualTo(after(200));
        }
    }

    @Test
    void clockMayBeNegativeAndWrap() {
        long almostWrapped = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();
        assertThat(policy.afterExit(almostWrapped, true)).isEqualTo(after(200));
        assertThat(policy.afterExit(almostWrapped + Duration.ofSeconds(2).toNanos(), true))
                .isEqualTo(after(400));
    }

    @Test
    void exitsOnAFullDiskDoNotCount() {
        assertThat(exitAt(0)).isEqualTo(after(200));
        free = DiskSpace.RESTART_MINIMUM_BYTES - 1;
        for (int second = 1; second < 30; second++) {
            assertThat(exitAt(second)).isEqualTo(new Decision.AwaitDiskSpace());
        }
        free = DiskSpace.RESTART_MINIMUM_BYTES;

        assertThat(exitAt(30)).isEqualTo(after(200));
    }

    @Test
    void serverThatWasNeverReadyIsGivenUpOnAFullDisk() {
        free = 0;
        for (int second = 0; second < RestartPolicy.MAXIMUM_EXITS - 1; second++) {
            assertThat(policy.afterExit(Duration.ofSeconds(second).toNanos(), false))
                    .isInstanceOf(Decision.Restart.class);
        }
        assertThat(policy.afterExit(Duration.ofSeconds(5).toNanos(), false)).isEqualTo(new Decision.GiveUp());
    }

    @Test
    void diskWhoseFreeSpaceIsUnknownIsFull() {
        RestartPolicy unreadable = new RestartPolicy(new DiskSpace(Path.of("/nowhere"), folder -> {
            throw new IOException("gone");
        }));

        assertThat(unreadable.afterExit(0, true)).isEqualTo(new Decision.AwaitDiskSpace());
    }

    @Test
    void serverIsRestartedAfterThreeRejectionsWhenTheDiskHasSpace() {
        AtomicBoolean rejects = new AtomicBoolean(true);
        WriteRejectionDetector detector =
                new WriteRejectionDetector("Redis", rejects::get, new DiskSpace(Path.of("/nowhere"), folder -> free));
        free = 0;
        for (int look = 0; look < 10; look++) {
            assertThat(detector.probe()).isFalse();
        }
        free = 1L << 40;
        assertThat(detector.probe()).isFalse();
        rejects.set(false);
        assertThat(detector.probe()).isFalse();
        rejects.set(true);
        assertThat(detector.probe()).isFalse();
        assertThat(detector.probe()).isFalse();
        assertThat(detector.probe()).isTrue();
        assertThat(detector.probe()).isFalse();
    }

    private Decision exitAt(long seconds) {
        return policy.afterExit(Duration.ofSeconds(seconds).toNanos(), true);
    }

    private static Decision after(long millis) {
        return new Decision.Restart(Duration.ofMillis(millis));
    }
}
