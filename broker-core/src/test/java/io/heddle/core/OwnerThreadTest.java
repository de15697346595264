package io.heddle.core;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OwnerThreadTest {
    private final OwnerThread owner = new OwnerThread();

    @Test
    void theFirstThreadOwns() throws Exception {
        Thread first = Thread.ofPlatform().name("first").start(owner::assertCurrent);
        first.join();

        assertThatThrownBy(owner::assertCurrent)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only first may");
    }

    @Test
    void theOwnerMayCallAgain() {
        owner.assertCurrent();

        assertThatCode(owner::assertCurrent).doesNotThrowAnyException();
    }

    @Test
    void afterAHandoverTheNextThreadOwns() throws Exception {
        owner.assertCurrent();
        owner.handOver();
        Thread next = Thread.ofPlatform().name("next").start(owner::assertCurrent);
        next.join();

        assertThatThrownBy(owner::handOver)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only next may");
    }
}
