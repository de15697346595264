package io.heddle.standalone;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.standalone.RestartPolicy.Decision;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Test;

class RestartPolicyTest {
    private long free = 1L << 40;
    private final RestartPolicy policy = new RestartPolicy(new DiskRoom(Path.of("/nowhere"), folder -> free));

    @Test
    void pauseDoublesUntilTheFifthDeathWithinAMinute() {
        assertThat(deathAt(0)).isEqualTo(after(200));
        assertThat(deathAt(1)).isEqualTo(after(400));
        assertThat(deathAt(2)).isEqualTo(after(800));
        assertThat(deathAt(3)).isEqualTo(after(1600));
        assertThat(deathAt(59)).isEqualTo(new Decision.GiveUp());
    }

    @Test
    void deathsOlderThanAMinuteAreForgotten() {
        for (int minute = 0; minute < 20; minute++) {
            assertThat(deathAt(61L * minute)).isEqualTo(after(200));
        }
    }

    @Test
    void clockMayBeNegativeAndWrap() {
        long almostWrapped = Long.MAX_VALUE - Duration.ofSeconds(1).toNanos();
        assertThat(policy.afterDeath(almostWrapped, true)).isEqualTo(after(200));
        assertThat(policy.afterDeath(almostWrapped + Duration.ofSeconds(2).toNanos(), true))
                .isEqualTo(after(400));
    }

    @Test
    void deathsOnAFullDiskDoNotCountAndEndWithARestartWhenThereIsRoom() {
        assertThat(deathAt(0)).isEqualTo(after(200));
        free = DiskRoom.FOR_RESTART_BYTES - 1;
        for (int second = 1; second < 30; second++) {
            assertThat(deathAt(second)).isEqualTo(new Decision.AwaitRoom());
        }
        free = DiskRoom.FOR_RESTART_BYTES;

        assertThat(deathAt(30)).isEqualTo(after(200));
    }

    @Test
    void aServerThatWasNeverReadyIsGivenUpOnAFullDisk() {
        free = 0;
        for (int second = 0; second < RestartPolicy.MAXIMUM_DEATHS - 1; second++) {
            assertThat(policy.afterDeath(Duration.ofSeconds(second).toNanos(), false))
                    .isInstanceOf(Decision.Restart.class);
        }
        assertThat(policy.afterDeath(Duration.ofSeconds(5).toNanos(), false)).isEqualTo(new Decision.GiveUp());
    }

    @Test
    void aDiskThatCannotBeReadIsFull() {
        RestartPolicy unreadable = new RestartPolicy(new DiskRoom(Path.of("/nowhere"), folder -> {
            throw new IOException("gone");
        }));

        assertThat(unreadable.afterDeath(0, true)).isEqualTo(new Decision.AwaitRoom());
    }

    @Test
    void aServerThatRefusesWritesIsRestartedAfterThreeLooksWhenTheDiskHasRoom() {
        AtomicBoolean refuses = new AtomicBoolean(true);
        WriteRefusals refusals =
                new WriteRefusals("Redis", refuses::get, new DiskRoom(Path.of("/nowhere"), folder -> free));
        free = 0;
        for (int look = 0; look < 10; look++) {
            assertThat(refusals.needRestart()).isFalse();
        }
        free = 1L << 40;
        assertThat(refusals.needRestart()).isFalse();
        refuses.set(false);
        assertThat(refusals.needRestart()).isFalse();
        refuses.set(true);
        assertThat(refusals.needRestart()).isFalse();
        assertThat(refusals.needRestart()).isFalse();
        assertThat(refusals.needRestart()).isTrue();
        assertThat(refusals.needRestart()).isFalse();
    }

    private Decision deathAt(long seconds) {
        return policy.afterDeath(Duration.ofSeconds(seconds).toNanos(), true);
    }

    private static Decision after(long millis) {
        return new Decision.Restart(Duration.ofMillis(millis));
    }
}
