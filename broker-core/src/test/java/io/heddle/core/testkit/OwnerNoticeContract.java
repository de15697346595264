package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.OwnerNotice;
import org.junit.jupiter.api.Test;

/** The contract of {@link OwnerNotice}. Each test starts with a notice that names no owner. */
public abstract class OwnerNoticeContract {
    private static final Incarnation A = new Incarnation(41, 0x8badf00d);
    private static final Incarnation B = new Incarnation(999_999_999_999_999_999L, -1);
    private static final Incarnation C = new Incarnation(0, 0);

    /** Returns the notice under test, the same throughout a test. */
    protected abstract OwnerNotice notice();

    @Test
    void itNamesNoOwnerAtFirst() {
        assertThat(notice().read()).isNull();
        assertThat(notice().replace(A, B)).isFalse();
        assertThat(notice().read()).isNull();
    }

    @Test
    void itNamesTheLastOwner() {
        assertThat(notice().replace(null, A)).isTrue();
        assertThat(notice().read()).isEqualTo(A);
        assertThat(notice().replace(A, B)).isTrue();
        assertThat(notice().read()).isEqualTo(B);
        assertThat(notice().replace(B, C)).isTrue();
        assertThat(notice().read()).isEqualTo(C);
    }

    @Test
    void aLateOwnerDoesNotReplaceALaterOne() {
        assertThat(notice().replace(null, A)).isTrue();
        assertThat(notice().replace(null, B)).isFalse();
        assertThat(notice().replace(A, C)).isTrue();

        assertThat(notice().replace(A, B)).isFalse();

        assertThat(notice().read()).isEqualTo(C);
    }
}
