package io.heddle.core.delivery.device;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

class BucketPositionsTest {
    private final BucketPositions positions = new BucketPositions(2);
    private final List<String> ran = new ArrayList<>();

    @Test
    void withoutAppendsNobodyWaits() {
        positions.whenApplied(0, () -> ran.add("now"));

        assertThat(ran).containsExactly("now");
    }

    @Test
    void whoWaitsRunsWhenWhatWasAppendedIsApplied() {
        positions.appended(0, 5);
        positions.whenApplied(0, () -> ran.add("five"));
        positions.applied(0, 4);
        assertThat(ran).isEmpty();

        positions.applied(0, 5);
        assertThat(ran).containsExactly("five");
        positions.applied(0, 6);
        assertThat(ran).containsExactly("five");
    }

    @Test
    void whatIsAppendedLaterIsNotWaitedFor() {
        positions.appended(0, 5);
        positions.whenApplied(0, () -> ran.add("five"));
        positions.appended(0, 9);
        positions.whenApplied(0, () -> ran.add("nine"));

        positions.applied(0, 7);
        assertThat(ran).containsExactly("five");
        positions.applied(0, 20);
        assertThat(ran).containsExactly("five", "nine");
    }

    @Test
    void acknowledgementsOutOfOrderDoNotLowerWhatIsWaitedFor() {
        positions.appended(0, 9);
        positions.appended(0, 5);
        positions.whenApplied(0, () -> ran.add("nine"));

        positions.applied(0, 5);
        assertThat(ran).isEmpty();
        assertThat(positions.appendedOffset(0)).isEqualTo(9);
    }

    @Test
    void bucketsDoNotWaitForEachOther() {
        positions.appended(1, 3);
        positions.whenApplied(0, () -> ran.add("other"));

        assertThat(ran).containsExactly("other");
        assertThat(positions.appliedOffset(1)).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void whenQueuesHaveForgottenWhatComesThenWaitsForTheSecondTime() {
        positions.appended(0, 5);
        positions.applied(0, 5);
        positions.applied(0, 2);
        positions.whenApplied(0, () -> ran.add("again"));
        assertThat(ran).isEmpty();

        positions.applied(0, 5);
        assertThat(ran).containsExactly("again");
    }

    @Test
    void aTaskMayWaitAgain() {
        positions.appended(0, 1);
        positions.whenApplied(0, () -> {
            positions.appended(0, 2);
            positions.whenApplied(0, () -> ran.add("second"));
        });

        positions.applied(0, 1);
        assertThat(ran).isEmpty();
        positions.applied(0, 2);
        assertThat(ran).containsExactly("second");
    }

    @Test
    void everyTaskRunsOnceWhileThreadsAppendAndApply() throws Exception {
        int tasks = 5_000;
        CountDownLatch all = new CountDownLatch(tasks);
        try (ExecutorService executor = Executors.newFixedThreadPool(3)) {
            for (int thread = 0; thread < 2; thread++) {
                int first = thread;
                executor.execute(() -> {
                    for (int i = first; i < tasks; i += 2) {
                        positions.appended(0, i);
                        positions.whenApplied(0, all::countDown);
                    }
                });
            }
            executor.execute(() -> {
                for (int i = 0; i < tasks; i++) {
                    positions.applied(0, i);
                }
            });
        }
        assertThat(all.await(10, TimeUnit.SECONDS)).isTrue();
    }
}
