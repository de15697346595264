package io.heddle.transport.connection;

import static org.assertj.core.api.Assertions.assertThat;

import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import org.junit.jupiter.api.Test;

class UnsentOutputTest {
    private static final long LIMIT = 64 * 1024;
    private static final long STEP = 64;

    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();
    private final UnsentOutput unsent = new UnsentOutput(LIMIT, registry);

    /** Takes all that one connection can get. */
    private long fill() {
        long held = 0;
        while (unsent.tryCharge(STEP, held)) {
            held += STEP;
        }
        return held;
    }

    @Test
    void greedyConnectionsLeaveRoomForOthers() {
        for (int i = 0; i < 16; i++) {
            assertThat(fill()).isBetween(STEP, LIMIT / 5 + STEP);
        }

        assertThat(unsent.tryCharge(STEP, 0)).isTrue();
    }

    @Test
    void connectionIsNotThrottledByOthersThatUseUpTheirShares() {
        long held = fill();
        for (int i = 0; i < 3; i++) {
            fill();
        }

        assertThat(unsent.isScarceFor(held)).isTrue();
        assertThat(unsent.isScarceFor(STEP)).isFalse();
    }

    @Test
    void connectionIsThrottledBeforeItUsesUpItsShare() {
        long held = 0;
        while (!unsent.isScarceFor(held)) {
            assertThat(unsent.tryCharge(STEP, held)).isTrue();
            held += STEP;
        }

        assertThat(unsent.tryCharge(STEP, held)).isTrue();
    }

    @Test
    void releasedBytesAreFree() {
        long held = fill();
        unsent.release(held);

        assertThat(registry.get("heddle.connections.unsent.bytes").gauge().value())
                .isZero();
        assertThat(fill()).isEqualTo(held);
    }
}
