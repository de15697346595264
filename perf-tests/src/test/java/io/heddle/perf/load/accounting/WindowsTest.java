package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class WindowsTest {
    private static final long SECOND = 1_000_000_000;

    private final long[] published = new long[2];
    private final Windows windows = new Windows(new Groups(1, 2, 2), 3, published);

    private void send(int publisher) {
        assertThat(windows.isOpen(publisher)).isTrue();
        windows.sent(publisher, published[publisher]);
        published[publisher]++;
    }

    private void fill(int publisher) {
        send(publisher);
        send(publisher);
        send(publisher);
        assertThat(windows.isOpen(publisher)).isFalse();
    }

    @Test
    void messageLeavesTheWindowWithItsLastDelivery() {
        fill(0);
        assertThat(windows.delivered(0, 0)).isFalse();
        assertThat(windows.isOpen(0)).isFalse();
        assertThat(windows.delivered(0, 0)).isTrue();
        send(0);
        assertThat(windows.isOpen(0)).isFalse();
        assertThat(windows.isOpen(1)).isTrue();
    }

    @Test
    void messagesLeaveTheWindowInOrder() {
        fill(0);
        windows.delivered(0, 1);
        assertThat(windows.delivered(0, 1)).isFalse();
        windows.delivered(0, 2);
        assertThat(windows.delivered(0, 2)).isFalse();
        windows.delivered(0, 0);
        assertThat(windows.delivered(0, 0)).isTrue();
        fill(0);
    }

    @Test
    void undeliveredMessagesAreGivenUpAfterTheTimeout() {
        fill(0);
        assertThat(windows.giveUp(0, 0, SECOND)).isFalse();
        assertThat(windows.giveUp(0, SECOND - 1, SECOND)).isFalse();
        assertThat(windows.giveUp(0, SECOND, SECOND)).isTrue();
        assertThat(windows.givenUp()).isEqualTo(3);
        assertThat(windows.isOpen(0)).isTrue();
        assertThat(windows.delivered(0, 0)).as("too late").isFalse();
        fill(0);
    }

    @Test
    void windowWithProgressIsNotGivenUp() {
        fill(0);
        windows.giveUp(0, 0, SECOND);
        windows.delivered(0, 0);
        windows.delivered(0, 0);
        assertThat(windows.giveUp(0, SECOND, SECOND)).isFalse();
        assertThat(windows.giveUp(0, 2 * SECOND - 1, SECOND)).isFalse();
        assertThat(windows.giveUp(1, 9 * SECOND, SECOND))
                .as("nothing under way")
                .isFalse();
    }
}
