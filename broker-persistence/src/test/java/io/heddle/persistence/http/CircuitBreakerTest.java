package io.heddle.persistence.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.persistence.http.CircuitBreaker.Pass;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

final class CircuitBreakerTest {
    private static final Duration PAUSE = Duration.ofSeconds(5);

    private final AtomicLong nanos = new AtomicLong();
    private final CircuitBreaker breaker = new CircuitBreaker("host", 3, PAUSE, nanos::get);

    private void fail() {
        breaker.recordFailure(breaker.enter());
    }

    private void open() {
        for (int i = 0; i < 3; i++) {
            assertThat(breaker.isOpen()).isFalse();
            fail();
        }
        assertThat(breaker.isOpen()).isTrue();
    }

    @Test
    void failuresInARowOpenIt() {
        fail();
        fail();
        breaker.recordSuccess();
        open();

        assertThat(breaker.enter()).isEqualTo(Pass.DENIED);
        assertThat(breaker.denies()).isTrue();
    }

    @Test
    void oneRequestProbesAfterThePause() {
        open();
        nanos.addAndGet(PAUSE.toNanos() - 1);
        assertThat(breaker.enter()).isEqualTo(Pass.DENIED);
        nanos.addAndGet(1);

        assertThat(breaker.denies()).isFalse();
        assertThat(breaker.enter()).isEqualTo(Pass.PROBE);
        assertThat(breaker.enter()).isEqualTo(Pass.DENIED);

        breaker.recordSuccess();
        assertThat(breaker.isOpen()).isFalse();
        assertThat(breaker.enter()).isEqualTo(Pass.REQUEST);
    }

    @Test
    void aFailedProbeBeginsAnotherPause() {
        open();
        nanos.addAndGet(PAUSE.toNanos());
        fail();

        assertThat(breaker.enter()).isEqualTo(Pass.DENIED);
        nanos.addAndGet(PAUSE.toNanos());
        assertThat(breaker.enter()).isEqualTo(Pass.PROBE);
    }

    @Test
    void requestsFromBeforeItOpenedDoNotProlongThePauseButMayEndIt() {
        Pass late = breaker.enter();
        open();
        nanos.addAndGet(PAUSE.toNanos() - 1);
        breaker.recordFailure(late);
        nanos.addAndGet(1);
        Pass probe = breaker.enter();
        assertThat(probe).isEqualTo(Pass.PROBE);

        breaker.recordFailure(late);
        nanos.addAndGet(PAUSE.toNanos());
        assertThat(breaker.enter()).isEqualTo(Pass.DENIED);
        assertThat(breaker.isOpen()).isTrue();

        breaker.recordSuccess();
        assertThat(breaker.enter()).isEqualTo(Pass.REQUEST);
        breaker.recordFailure(probe);
        assertThat(breaker.isOpen()).isFalse();
    }
}
