package io.heddle.core.retained;

import static io.heddle.core.retained.Publications.found;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.trie.RetainedMessage;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Tests the rollback of changes whose appends fail, and the removal of expired messages from the log. */
final class RetainedChangeTest {
    private static final int ALL = 1_000_000;

    private final Publications publications = new Publications();
    private final RetainedMessages retained = publications.retained(Publications.ROOMY);
    private int followed;

    private RetainedChange change(String topic, String payload) {
        return Objects.requireNonNull(retained.change(publications.message(topic, payload), (_, _) -> {}));
    }

    private void durable(String topic, String payload) {
        appended(change(topic, payload));
    }

    /** The commit of a change is the next record of the log, and durable. */
    private void appended(RetainedChange change) {
        RetainedMessage value = change.value;
        publications.log.append(change.topic, value == null ? null : value.toPublishMessage(change.topic));
        change.storedAt(publications.log.size() - 1L);
        change.appended();
    }

    /** Applies the records of the log to its end. */
    private void follow() {
        List<Change<TopicName, PublishMessage>> records = publications.log.changes();
        while (followed < records.size()) {
            retained.apply(records.get(followed), followed);
            followed++;
        }
    }

    private int expire() {
        return retained.expireSome(ALL, publications.log);
    }

    /** The log's records, in order. */
    private List<String> logged() {
        List<String> logged = new ArrayList<>();
        publications.log.changes().forEach(change -> {
            PublishMessage message = change.value();
            logged.add(change.key() + "=" + (message == null ? "" : Publications.text(message)));
        });
        return logged;
    }

    @Test
    void failedChangeIsRolledBack() {
        long empty = retained.bytes();
        change("a/b", "1").failed();
        assertThat(found(retained, "#")).isEmpty();
        assertThat(retained.size()).isZero();
        assertThat(retained.bytes()).isEqualTo(empty);
        assertThat(retained.nodeCount()).isOne();

        durable("a/b", "1");
        long bytes = retained.bytes();
        change("a/b", "something longer").failed();
        assertThat(found(retained, "#")).containsExactly("a/b=1");
        RetainedChange removal = change("a/b", "");
        assertThat(removal.removes()).isTrue();
        assertThat(found(retained, "#")).isEmpty();
        removal.failed();
        assertThat(found(retained, "#")).containsExactly("a/b=1");
        assertThat(retained.bytes()).isEqualTo(bytes);
    }

    @Test
    void lastSuccessfulOfSeveralChangesInFlightRemains() {
        durable("a", "0");
        RetainedChange first = change("a", "1");
        RetainedChange second = change("a", "2");
        RetainedChange third = change("a", "3");

        first.failed();
        assertThat(found(retained, "a")).containsExactly("a=3");
        third.failed();
        assertThat(found(retained, "a")).containsExactly("a=2");
        second.failed();
        assertThat(found(retained, "a")).containsExactly("a=0");
    }

    @Test
    void failureDoesNotRollBackALaterChange() {
        durable("a", "0");
        RetainedChange first = change("a", "1");
        RetainedChange second = change("a", "2");
        appended(second);
        first.failed();
        assertThat(found(retained, "a")).containsExactly("a=2");

        RetainedChange removal = change("a", "");
        RetainedChange again = change("a", "");
        appended(again);
        removal.failed();
        assertThat(found(retained, "a")).as("the log has no message either").isEmpty();
    }

    @Test
    void failureAfterADurableChangeRestoresIt() {
        durable("a", "0");
        RetainedChange first = change("a", "1");
        RetainedChange second = change("a", "2");
        appended(first);
        second.failed();
        assertThat(found(retained, "a")).containsExactly("a=1");

        RetainedChange third = change("a", "3");
        RetainedChange fourth = change("a", "4");
        fourth.failed();
        assertThat(found(retained, "a")).as("a change in flight").containsExactly("a=3");
        appended(third);
        assertThat(found(retained, "a")).containsExactly("a=3");
    }

    @Test
    void theLastChangeOfTheLogCountsWhenPublishersOvertakeEachOther() {
        durable("a", "0");
        RetainedChange first = change("a", "1");
        RetainedChange second = change("a", "2");
        appended(second);
        appended(first);
        assertThat(found(retained, "a")).as("a restart reads it").containsExactly("a=1");

        RetainedChange third = change("a", "3");
        RetainedChange fourth = change("a", "4");
        RetainedChange fifth = change("a", "5");
        appended(fourth);
        appended(third);
        assertThat(found(retained, "a")).as("the change in flight").containsExactly("a=5");
        fifth.failed();
        assertThat(found(retained, "a")).containsExactly("a=3");
    }

    @Test
    void rolledBackChangeReleasesItsQuota() {
        RetainedMessages limited = publications.retained(new RetainedLimits(10, 100_000, 1_000, 1));
        Objects.requireNonNull(limited.change(publications.by("one", "a", "1"), (_, _) -> {}))
                .failed();
        Objects.requireNonNull(limited.change(publications.by("one", "b", "1"), (_, _) -> {}))
                .appended();
        RetainedChange removal = Objects.requireNonNull(limited.change(publications.by("one", "b", ""), (_, _) -> {}));
        removal.failed();

        assertThat(limited.change(publications.by("one", "c", "1"), (_, _) -> {}))
                .as("topics of the client")
                .isNull();
        assertThat(limited.change(publications.by("two", "c", "1"), (_, _) -> {}))
                .isNotNull();
    }

    @Test
    void aTaskWaitsForTheChangesThatHaveBegun() {
        List<String> ran = new ArrayList<>();
        retained.whenSettled(() -> ran.add("none"));
        RetainedChange first = change("a", "1");
        RetainedChange second = change("b", "2");
        retained.whenSettled(() -> ran.add("two"));
        RetainedChange third = change("a", "3");
        retained.whenSettled(() -> ran.add("three"));
        assertThat(ran).containsExactly("none");

        second.failed();
        appended(third);
        assertThat(ran).containsExactly("none");
        appended(first);

        assertThat(ran).containsExactly("none", "two", "three");
    }

    @Test
    void changeIsSettledOnce() {
        RetainedChange change = change("a", "1");
        appended(change);
        follow();

        assertThatIllegalStateException().isThrownBy(change::failed);
    }

    @Test
    void expiredMessageIsRemovedFromTheLogOnce() {
        retained.store(publications.expiring("a/b", "1", 10));
        retained.store(publications.message("a/c", "2"));
        publications.pass(Duration.ofSeconds(10));

        assertThat(expire()).isOne();
        assertThat(expire()).isZero();
        follow();
        assertThat(expire()).isZero();

        assertThat(logged()).containsExactly("a/b=");
        assertThat(publications.counted("heddle.retained.expired")).isOne();
    }

    @Test
    void restoredExpiredMessageIsRemovedFromTheLog() {
        retained.apply(new Change<>(TopicName.parse("a/b", 2), publications.expiring("a/b", "1", 0)), 0);
        assertThat(found(retained, "#")).isEmpty();

        assertThat(expire()).isOne();
        follow();

        assertThat(logged()).containsExactly("a/b=");
        assertThat(retained.nodeCount()).isOne();
    }

    @Test
    void noRemovalIsAppendedWhileAChangeIsInFlight() {
        RetainedChange change =
                Objects.requireNonNull(retained.change(publications.expiring("a", "1", 10), (_, _) -> {}));
        publications.pass(Duration.ofSeconds(10));
        assertThat(expire()).isZero();

        appended(change);
        assertThat(expire()).as("the change is not followed yet").isZero();
        follow();

        assertThat(expire()).isOne();
        assertThat(logged()).containsExactly("a=1", "a=");
    }

    @Test
    void changeAfterARemovalInFlightRemains() {
        retained.store(publications.expiring("a", "1", 10));
        publications.pass(Duration.ofSeconds(10));
        publications.log.hold();
        assertThat(expire()).isOne();
        assertThat(logged()).as("the removal precedes the commit of the change").containsExactly("a=");
        RetainedChange change = change("a", "2");

        publications.log.release();
        appended(change);
        follow();

        assertThat(found(retained, "a")).containsExactly("a=2");
    }

    @Test
    void failedRemovalIsRetriedLater() {
        retained.store(publications.expiring("a", "1", 10));
        publications.pass(Duration.ofSeconds(10));
        publications.log.failWith(new StoreUnavailableException("the log is full", null));
        assertThat(expire()).isOne();
        assertThat(retained.size()).as("it is still in the log").isOne();
        publications.log.failWith(null);
        assertThat(expire()).as("not at once").isZero();
        publications.pass(Duration.ofSeconds(1));

        assertThat(expire()).isOne();
        follow();

        assertThat(logged()).containsExactly("a=");
        assertThat(retained.size()).isZero();
    }

    @Test
    void failedRemovalDoesNotOverwriteALaterMessage() {
        retained.store(publications.expiring("a", "1", 10));
        publications.pass(Duration.ofSeconds(10));
        publications.log.hold();
        expire();
        durable("a", "2");
        publications.log.release();
        follow();

        assertThat(found(retained, "a")).containsExactly("a=2");
        publications.pass(Duration.ofSeconds(1));
        assertThat(expire()).isZero();
    }

    @Test
    void removalsInFlightAreBounded() {
        for (int i = 0; i < 1_500; i++) {
            retained.store(publications.expiring("a/" + i, "1", 10));
        }
        publications.pass(Duration.ofSeconds(10));

        assertThat(expire()).isEqualTo(1_000);
        assertThat(expire()).isZero();
        follow();
        assertThat(expire()).isEqualTo(500);
    }
}
