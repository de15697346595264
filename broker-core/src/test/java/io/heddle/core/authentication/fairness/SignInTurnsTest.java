package io.heddle.core.authentication.fairness;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.Limit;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class SignInTurnsTest {
    private static final long TOOK_NANOS = Duration.ofMillis(200).toNanos();
    private static final SignInSource FAILING = new SignInSource("192.0.2.1", "admin");
    private static final SignInSource OTHER = new SignInSource("192.0.2.2", "meter");

    private final AtomicLong nanoTime = new AtomicLong();
    private final SignInTurns turns = new SignInTurns(
            2, Duration.ofMinutes(1), new Limit("a limit", 1), FAILING.network()::equals, nanoTime::get);

    private long closeAfterTurnOf(SignInSource source) {
        SignInTurns.Turn turn = turns.begin(source);
        nanoTime.addAndGet(TOOK_NANOS);
        long before = System.nanoTime();
        turn.close();
        return System.nanoTime() - before;
    }

    @Test
    void aFailingNetworkPausesAfterATurnForAsLongAsItTook() {
        assertThat(closeAfterTurnOf(FAILING)).isGreaterThanOrEqualTo(TOOK_NANOS);
        assertThat(closeAfterTurnOf(OTHER)).isLessThan(TOOK_NANOS);
    }

    @Test
    void anInterruptEndsThePauseAndThePassedTurnIsFree() {
        SignInTurns.Turn turn = turns.begin(FAILING);
        nanoTime.addAndGet(Duration.ofHours(1).toNanos());
        Thread.currentThread().interrupt();

        turn.close();

        assertThat(Thread.interrupted()).isTrue();
        turns.begin(FAILING);
        turns.begin(OTHER);
        assertThat(turns.tryBegin()).isNull();
    }
}
