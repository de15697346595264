package io.heddle.persistence.kafka;

import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;

class OwnerThreadTest {
    private final OwnerThread owner = new OwnerThread();

    @Test
    void theFirstThreadOwns() throws Exception {
        Thread first = Thread.ofPlatform().name("first").start(owner::check);
        first.join();

        assertThatThrownBy(owner::check)
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("only first may");
    }

    @Test
    void theOwnerMayCallAgain() {
        owner.check();

        assertThatCode(owner::check).doesNotThrowAnyException();
    }
}
