package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.EndNotices;
import io.heddle.core.cluster.Incarnation;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** The contract of {@link EndNotices}. Each test starts without notices. */
public abstract class EndNoticesContract {
    private static final Incarnation A = new Incarnation(41, 0x8badf00d);
    private static final Incarnation B = new Incarnation(999_999_999_999_999_999L, -1);
    private static final Incarnation C = new Incarnation(0, 0);

    /** Returns the notices under test, the same throughout a test. */
    protected abstract EndNotices notices();

    @Test
    void anIncarnationIsNotedAfterItsAddition() {
        assertThat(notices().contains(A)).isFalse();

        notices().add(Set.of(A, C));

        assertThat(notices().contains(A)).isTrue();
        assertThat(notices().contains(C)).isTrue();
        assertThat(notices().contains(B)).isFalse();
        notices().add(Set.of(B));
        assertThat(notices().contains(A)).isTrue();
        assertThat(notices().contains(B)).isTrue();
    }

    @Test
    void anotherIncarnationWithTheSameOffsetIsNotNoted() {
        notices().add(Set.of(A));

        assertThat(notices().contains(new Incarnation(A.offset(), A.random() + 1)))
                .isFalse();
    }

    @Test
    void anIncarnationMayBeAddedAgain() {
        notices().add(Set.of(A));

        notices().add(Set.of(A, B));

        assertThat(notices().contains(A)).isTrue();
        assertThat(notices().contains(B)).isTrue();
    }

    @Test
    void theOldestNoticesAreRemovedAboveTheCapacity() {
        notices().add(Set.of(B));
        notices().add(Set.of(C));
        Set<Incarnation> full = new HashSet<>();
        for (int i = 1; i < EndNotices.CAPACITY; i++) {
            full.add(new Incarnation(i, i));
        }

        notices().add(full);

        assertThat(notices().contains(B)).isFalse();
        assertThat(notices().contains(C)).isTrue();
        assertThat(full).allMatch(notices()::contains);
    }
}
