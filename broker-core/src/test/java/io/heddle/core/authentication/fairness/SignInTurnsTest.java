package io.heddle.core.authentication.fairness;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.Limit;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignInTurnsTest {
    private static final SignInSource FAILING = new SignInSource("192.0.2.1", "admin");
    private static final SignInSource OTHER = new SignInSource("192.0.2.2", "meter");

    private final AtomicLong nanoTime = new AtomicLong();
    private final Set<String> failing = new HashSet<>(Set.of(FAILING.network()));
    private final SignInTurns turns = turns(2, true);

    private SignInTurns turns(int concurrency, boolean pausesFailing) {
        return new SignInTurns(
                concurrency,
                Duration.ofMinutes(1),
                new Limit("a limit", 1),
                failing::contains,
                pausesFailing,
                nanoTime::get);
    }

    private void endTurnOf(SignInTurns of, Duration took) {
        SignInTurns.Turn turn = of.begin(FAILING);
        nanoTime.addAndGet(took.toNanos());
        turn.close();
    }

    @Test
    void aFailingNetworkPausesAfterATurnForAsLongAsItTook() {
        Duration took = Duration.ofMillis(200);
        long before = System.nanoTime();
        endTurnOf(turns, took);

        turns.begin(FAILING).close();

        assertThat(System.nanoTime() - before).isGreaterThanOrEqualTo(took.toNanos());
    }

    @Test
    void othersMayHaveTheTurnDuringThePause() {
        SignInTurns one = turns(1, true);
        endTurnOf(one, Duration.ofHours(1));

        assertThat(one.tryBegin(FAILING)).isNull();
        one.begin(OTHER).close();
    }

    @Test
    void thereIsNoPauseIfTurnsCostNoProcessors() {
        SignInTurns one = turns(1, false);
        endTurnOf(one, Duration.ofHours(1));

        assertThat(one.tryBegin(FAILING)).isNotNull();
    }

    @Test
    void aCallerThatMayNotWaitGetsNoMoreThanItsNetworkMayHave() {
        assertThat(turns.tryBegin(FAILING)).isNotNull();
        assertThat(turns.tryBegin(FAILING)).isNull();
        assertThat(turns.tryBegin(OTHER)).isNotNull();
        assertThat(turns.tryBegin(OTHER)).isNull();
    }

    @Test
    void allThatMayHaveATurnGetItIfTheirNetworkNoLongerFails() throws Exception {
        SignInTurns four = turns(4, false);
        SignInTurns.Turn first = four.begin(FAILING);
        SignInTurns.Turn second = four.begin(FAILING);
        try (ExecutorService clients = Executors.newVirtualThreadPerTaskExecutor()) {
            List<Future<SignInTurns.Turn>> waiting = new ArrayList<>();
            for (int i = 0; i < 3; i++) {
                waiting.add(clients.submit(() -> four.begin(FAILING)));
            }
            await().until(() -> four.waiting() == 3);
            failing.clear();

            first.close();

            for (Future<SignInTurns.Turn> each : waiting) {
                each.get(20, TimeUnit.SECONDS);
            }
        }
        second.close();
        assertThat(four.waiting()).isZero();
    }
}
