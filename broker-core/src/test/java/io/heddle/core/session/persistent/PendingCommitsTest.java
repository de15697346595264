package io.heddle.core.session.persistent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

final class PendingCommitsTest {
    private final PendingCommits uncommitted = new PendingCommits();
    private final List<String> ran = new ArrayList<>();

    @Test
    void withoutOneATaskRunsAtOnce() {
        uncommitted.whenNone(() -> ran.add("now"));

        assertThat(ran).containsExactly("now");
    }

    @Test
    void tasksWaitForTheLastOneAndRunInTheirOrder() {
        uncommitted.begin();
        uncommitted.begin();
        uncommitted.whenNone(() -> ran.add("first"));
        uncommitted.whenNone(() -> ran.add("second"));
        uncommitted.end();
        assertThat(ran).isEmpty();

        uncommitted.end();

        assertThat(ran).containsExactly("first", "second");
        uncommitted.begin();
        uncommitted.end();
        assertThat(ran).as("each once").hasSize(2);
    }

    @Test
    void aTaskMayBeginAnother() {
        uncommitted.begin();
        uncommitted.whenNone(() -> {
            uncommitted.begin();
            uncommitted.whenNone(() -> ran.add("after both"));
        });

        uncommitted.end();
        assertThat(ran).isEmpty();
        uncommitted.end();

        assertThat(ran).containsExactly("after both");
    }

    @Test
    void moreEndsThanBeginningsAreABug() {
        assertThatThrownBy(uncommitted::end).isInstanceOf(IllegalStateException.class);
    }

    @Test
    void noTaskIsForgottenOrEarlyWhileManyThreadsCommit() throws InterruptedException {
        int threads = 4;
        int rounds = 20_000;
        AtomicInteger open = new AtomicInteger();
        AtomicInteger early = new AtomicInteger();
        AtomicInteger told = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        // One that never ends while they run: so whatever is told before it does is told too early.
        uncommitted.begin();
        open.incrementAndGet();
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(Thread.ofPlatform().name("commits-" + i).start(() -> {
                awaitQuietly(start);
                for (int round = 0; round < rounds; round++) {
                    uncommitted.begin();
                    if (round % 1_000 == 0) {
                        uncommitted.whenNone(() -> {
                            told.incrementAndGet();
                            early.addAndGet(open.get());
                        });
                    }
                    uncommitted.end();
                }
            }));
        }
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(told).hasValue(0);

        open.decrementAndGet();
        uncommitted.end();

        assertThat(told).hasValue(threads * rounds / 1_000);
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
