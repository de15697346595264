package io.heddle.perf.load.accounting;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

final class LedgerTest {
    private static Ledger withSent(boolean acknowledgements, int messages) {
        Ledger ledger = new Ledger(acknowledgements);
        for (int i = 0; i < messages; i++) {
            assertThat(ledger.send()).isEqualTo(i);
        }
        return ledger;
    }

    @Test
    void undeliveredAcknowledgedMessageIsLost() {
        Ledger ledger = withSent(true, 4);
        ledger.acknowledge(0);
        ledger.acknowledge(1);
        ledger.refuse(2);
        assertThat(ledger.deliver(0)).isTrue();
        assertThat(ledger.lost()).isEqualTo(1);
        assertThat(ledger.unanswered()).isEqualTo(1);
        assertThat(ledger.isSettled()).isFalse();
        ledger.deliver(1);
        ledger.acknowledge(3);
        ledger.deliver(3);
        assertThat(ledger.lost()).isZero();
        assertThat(ledger.isSettled()).isTrue();
        assertThat(ledger.delivered()).isEqualTo(3);
    }

    @Test
    void withoutAcknowledgementsEachMessageMustArrive() {
        Ledger ledger = withSent(false, 3);
        ledger.deliver(1);
        assertThat(ledger.lost()).isEqualTo(2);
        assertThat(ledger.unanswered()).isZero();
    }

    @Test
    void duplicatesAndReorderedMessagesAreCounted() {
        Ledger ledger = withSent(true, 3);
        assertThat(ledger.deliver(0)).isTrue();
        assertThat(ledger.deliver(2)).isTrue();
        assertThat(ledger.deliver(1)).isTrue();
        assertThat(ledger.deliver(1)).isFalse();
        assertThat(ledger.reordered()).isEqualTo(1);
        assertThat(ledger.duplicated()).isEqualTo(1);
    }

    @Test
    void unsentMessageIsAStray() {
        Ledger ledger = withSent(true, 1);
        assertThat(ledger.deliver(1)).isFalse();
        assertThat(ledger.deliver(-1)).isFalse();
        assertThat(ledger.strays()).isEqualTo(2);
        assertThat(ledger.delivered()).isZero();
    }
}
