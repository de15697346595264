package io.heddle.core.sys.ledger;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ledger.Account;
import io.heddle.core.client.ledger.Flow;
import io.heddle.core.client.ledger.Ledger;
import io.heddle.core.client.ledger.LoopLedger;
import io.heddle.core.testkit.ManualEventLoop;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** A check evaluates the counts that the event loop has answered since the check before. */
final class LedgerWatchTest {
    /** The first one only asks. */
    private static final int CHECKS_OF_A_MINUTE = 1 + 7;

    private final SimpleMeterRegistry metrics = new SimpleMeterRegistry();
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final AtomicLong nanos = new AtomicLong();
    private final Ledger ledger = new Ledger(metrics);
    private final LoopLedger ofLoop = ledger.of(loop);
    private final LedgerWatch watch = new LedgerWatch(ledger, nanos::get, metrics);

    private void check() {
        watch.check();
        loop.runTasks();
        nanos.addAndGet(Duration.ofSeconds(10).toNanos());
    }

    private void checkForAMinute() {
        for (int i = 0; i < CHECKS_OF_A_MINUTE; i++) {
            check();
        }
    }

    private double difference(Account account) {
        return metrics.get("heddle.ledger.difference")
                .tag("account", account.key())
                .gauge()
                .value();
    }

    @Test
    void theReportHasTheFlowsOfTheLastMinuteAndWhatIsHeld() {
        ofLoop.routed(1_000);
        ofLoop.delivered(1_000);
        check();
        ofLoop.routed(5);
        ofLoop.waiting(2);
        ofLoop.inFlight(1);
        ofLoop.delivered(1);
        ofLoop.dropped();
        checkForAMinute();

        LedgerReport report = watch.report();
        assertThat(report.seconds()).isEqualTo(60);
        assertThat(report.flows())
                .containsEntry(Flow.ROUTED, 0L)
                .containsEntry(Flow.WAITING, 2L)
                .containsEntry(Flow.IN_FLIGHT, 1L);
        ofLoop.taken(3, true);
        ledger.add(Flow.HANDED_OVER, 3);
        ofLoop.delivered(3);
        check();
        check();
        assertThat(watch.report().flows())
                .containsEntry(Flow.RECEIVED, 3L)
                .containsEntry(Flow.DELIVERED, 3L)
                .containsEntry(Flow.ROUTED, 0L);
        assertThat(watch.report().differences().values()).allMatch(difference -> difference == 0);
    }

    @Test
    void aCopyWithoutAnEndIsADifferenceAfterAMinute() {
        ofLoop.routed(3);
        ofLoop.delivered(2);
        check();
        check();
        assertThat(difference(Account.CONNECTIONS)).isZero();
        checkForAMinute();
        assertThat(difference(Account.CONNECTIONS)).isOne();

        ofLoop.dropped();
        check();
        check();
        assertThat(difference(Account.CONNECTIONS)).isZero();
    }

    @Test
    void aCopyThatEndsTwiceIsANegativeDifference() {
        ofLoop.read();
        ofLoop.delivered(1);
        ofLoop.returned();
        checkForAMinute();

        assertThat(difference(Account.CONNECTIONS)).isEqualTo(-1);
    }

    @Test
    void copiesThatAnEventLoopHasNotTakenAreLost() {
        ledger.add(Flow.HANDED_OVER, 5);
        ofLoop.taken(3, false);
        ofLoop.delivered(3);
        checkForAMinute();

        assertThat(difference(Account.EVENT_LOOPS)).isEqualTo(2);
        assertThat(difference(Account.CONNECTIONS)).isZero();
    }

    @Test
    void appendsWithoutAnAnswerAreHeld() {
        ledger.add(Flow.APPENDED, 4);
        ledger.add(Flow.STORED, 1);
        ledger.add(Flow.APPEND_FAILED, 1);
        checkForAMinute();

        assertThat(watch.report().flows()).containsEntry(Flow.UNANSWERED, 2L);
        assertThat(watch.report().differences()).doesNotContainKey(Account.LOGS);
    }

    @Test
    void differencesAreUnknownInTheFirstMinute() {
        ofLoop.routed(3);
        check();
        check();
        assertThat(watch.report().differences()).isEmpty();
        assertThat(watch.report().flows()).containsEntry(Flow.ROUTED, 3L);
    }

    @Test
    void messagesForOtherNodesAreAcceptedDroppedOrUnconfirmed() {
        ledger.add(Flow.FORWARDED, 10);
        ledger.add(Flow.ACCEPTED, 5);
        ledger.add(Flow.NOT_ACCEPTED, 2);
        ledger.add(Flow.UNCONFIRMED, 2);
        checkForAMinute();

        assertThat(difference(Account.LINKS)).isOne();
        assertThat(watch.report().differences())
                .isEqualTo(Map.of(Account.CONNECTIONS, 0L, Account.EVENT_LOOPS, 0L, Account.LINKS, 1L));
    }

    @Test
    @Timeout(1)
    void aStuckEventLoopIsAskedOnceAndDelaysNoCheck() {
        for (int i = 0; i < 100; i++) {
            watch.check();
        }
        assertThat(watch.report()).isEqualTo(LedgerReport.NONE);
        assertThat(loop.runTasks()).isOne();

        watch.check();

        assertThat(watch.report().flows()).containsEntry(Flow.ROUTED, 0L);
    }
}
