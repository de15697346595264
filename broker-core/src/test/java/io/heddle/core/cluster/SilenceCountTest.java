package io.heddle.core.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

class SilenceCountTest {
    private static final Incarnation X = new Incarnation(3, 1);
    private static final Incarnation Y = new Incarnation(4, 1);

    private final HeartbeatMonitor.SilenceCount silence = new HeartbeatMonitor.SilenceCount();

    @Test
    void ownHeartbeatsSinceTheLastRecordAreCounted() {
        beats(4);
        silence.onRecord(X);
        beats(3);
        silence.onRecord(Y);
        beats(2);

        assertThat(silence.of(X)).isEqualTo(5);
        assertThat(silence.of(Y)).isEqualTo(2);
        silence.onRecord(X);
        assertThat(silence.of(X)).isZero();
    }

    @Test
    void aMemberFromBeforeIsCountedFromTheFirstOwnHeartbeat() {
        beats(7);

        assertThat(silence.of(X)).isEqualTo(7);
    }

    @Test
    void aLateHeartbeatOfThisNodeStartsAllCountsAgain() {
        silence.onRecord(Y);
        beats(9);
        silence.onOwnHeartbeat(false);
        assertThat(silence.of(X)).isZero();
        assertThat(silence.of(Y)).isZero();

        beats(10);
        assertThat(silence.of(X)).isEqualTo(10);
    }

    @Test
    void endedMembersAreForgotten() {
        beats(2);
        silence.onRecord(X);
        silence.retain(View.atBeginning(0, 1));

        assertThat(silence.of(X)).isEqualTo(2);
    }

    private void beats(int count) {
        for (int i = 0; i < count; i++) {
            silence.onOwnHeartbeat(true);
        }
    }
}
