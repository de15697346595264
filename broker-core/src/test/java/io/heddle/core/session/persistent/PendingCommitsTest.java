package io.heddle.core.session.persistent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PendingCommitsTest {
    private final PendingCommits commits = new PendingCommits();
    private final List<String> ran = new ArrayList<>();

    @Test
    void aTaskRunsAtOnceWithoutPendingCommits() {
        commits.whenNone(() -> ran.add("now"));

        assertThat(ran).containsExactly("now");
    }

    @Test
    void tasksWaitForTheLastCommitAndRunInOrder() {
        commits.begin();
        commits.begin();
        commits.whenNone(() -> ran.add("first"));
        commits.whenNone(() -> ran.add("second"));
        commits.end();
        assertThat(ran).isEmpty();

        commits.end();

        assertThat(ran).containsExactly("first", "second");
        commits.begin();
        commits.end();
        assertThat(ran).as("each once").hasSize(2);
    }

    @Test
    void aTaskMayBeginAnother() {
        commits.begin();
        commits.whenNone(() -> {
            commits.begin();
            commits.whenNone(() -> ran.add("after both"));
        });

        commits.end();
        assertThat(ran).isEmpty();
        commits.end();

        assertThat(ran).containsExactly("after both");
    }

    @Test
    void endingMoreCommitsThanBegunThrows() {
        assertThatThrownBy(commits::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void concurrentCommitsRunEachTaskOnceAndNotEarly() throws InterruptedException {
        int threads = 4;
        int rounds = 20_000;
        AtomicInteger open = new AtomicInteger();
        AtomicInteger early = new AtomicInteger();
        AtomicInteger runs = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        // A commit that ends after all others: a task that runs before is too early.
        commits.begin();
        open.incrementAndGet();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofPlatform().name("commits-" + i).start(() -> {
                awaitQuietly(start);
                for (int round = 0; round < rounds; round++) {
                    commits.begin();
                    if (round % 1_000 == 0) {
                        commits.whenNone(() -> {
                            runs.incrementAndGet();
                            early.addAndGet(open.get());
                        });
                    }
                    commits.end();
                }
            }));
        }
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(runs).hasValue(0);

        open.decrementAndGet();
        commits.end();

        assertThat(runs).hasValue(threads * rounds / 1_000);
        assertThat(early).hasValue(0);
    }

    private static void awaitQuietly(CountDownLatch start) {
        try {
            start.await();
        } catch (InterruptedException interrupted) {
            throw new AssertionError(interrupted);
        }
    }
}
