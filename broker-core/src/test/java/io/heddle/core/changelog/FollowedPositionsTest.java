package io.heddle.core.changelog;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

final class FollowedPositionsTest {
    private final FollowedPositions positions = new FollowedPositions();

    @Test
    void theFurthestAwaitedEndsAreTheTotal() {
        assertThat(positions.missing()).isZero();
        positions.onReached(1, 4);
        var _ = positions.whenReached(List.of(10L, 4L));
        var further = positions.whenReached(List.of(2L, 24L)).toCompletableFuture();

        assertThat(positions.missing()).isEqualTo(22);
        positions.onReached(0, 7);
        assertThat(positions.missing()).isEqualTo(20);
        assertThat(positions.sum()).isEqualTo(11);

        positions.onReached(1, 24);
        assertThat(further).isCompleted();
        assertThat(positions.missing()).isEqualTo(3);
    }
}
