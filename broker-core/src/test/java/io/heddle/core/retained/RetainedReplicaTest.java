package io.heddle.core.retained;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.changelog.LogFollower;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.ManualEventLoop;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** Lookups of retained messages on a node that follows the log. */
final class RetainedReplicaTest {
    private final Publications publications = new Publications();
    private final ManualEventLoop loop = new ManualEventLoop(0);
    private final DrivenLog log = new DrivenLog();
    private final List<String> lost = new ArrayList<>();
    private final RetainedMessages messages = publications.retained(Publications.ROOMY);
    private long absence = OtherWriters.PRESENT;
    private final RetainedReplica replica =
            new RetainedReplica(log, messages, () -> absence, lost::add, publications.metrics);
    private final List<String> known = new ArrayList<>();

    /** A log that a test passes on. */
    private static final class DrivenLog implements ChangeLog<TopicName, PublishMessage> {
        private final List<CompletableFuture<List<Long>>> questions = new ArrayList<>();
        private @Nullable LogFollower<Change<TopicName, PublishMessage>> follower;

        @Override
        public CompletionStage<Void> append(Change<TopicName, PublishMessage> change) {
            throw new UnsupportedOperationException("this node writes nothing");
        }

        @Override
        public void follow(LogFollower<Change<TopicName, PublishMessage>> next) {
            follower = next;
            next.onStart(List.of(0L, 0L));
        }

        @Override
        public CompletionStage<List<Long>> ends() {
            CompletableFuture<List<Long>> question = new CompletableFuture<>();
            questions.add(question);
            return question;
        }

        LogFollower<Change<TopicName, PublishMessage>> follower() {
            return Objects.requireNonNull(follower);
        }
    }

    private void pass(int partition, long offset, PublishMessage message) {
        log.follower().onRecord(partition, offset, new Change<>(message.topic(), message));
        log.follower().onReached(partition, offset + 1);
        loop.runTasks();
    }

    private void lookUp(String name) {
        loop.run(() -> replica.whenKnown(loop, () -> known.add(name)));
    }

    private double waiting() {
        return publications
                .metrics
                .get("heddle.retained.lookups.waiting")
                .gauge()
                .value();
    }

    @Test
    void aLookupWaitsForTheRecordsThatTheLogHasNow() {
        replica.follow();
        lookUp("a");
        log.questions.getFirst().complete(List.of(2L, 1L));
        loop.runTasks();
        pass(0, 0, publications.message("t", "1"));
        pass(0, 1, publications.message("t", "2"));
        assertThat(known).isEmpty();
        assertThat(waiting()).isOne();

        pass(1, 0, publications.message("u", "3"));

        assertThat(known).containsExactly("a");
        assertThat(Publications.found(messages, "#")).containsExactly("t=2", "u=3");
        assertThat(waiting()).isZero();
    }

    @Test
    void lookupsThatArriveDuringAQuestionShareTheNextOne() {
        replica.follow();
        lookUp("a");
        lookUp("b");
        lookUp("c");
        assertThat(log.questions).hasSize(1);

        log.questions.getFirst().complete(List.of(0L, 0L));
        loop.runTasks();

        assertThat(known).containsExactly("a");
        assertThat(log.questions)
                .as("an end that was read before a lookup may miss a message")
                .hasSize(2);
        log.questions.getLast().complete(List.of(0L, 0L));
        loop.runTasks();
        assertThat(known).containsExactly("a", "b", "c");
        lookUp("d");
        assertThat(log.questions).hasSize(3);
    }

    @Test
    void aNodeThatHasReadWhatTheOthersWroteAsksNoMoreUntilOneJoins() {
        replica.follow();
        lookUp("a");
        absence = 7;
        log.questions.getFirst().complete(List.of(0L, 0L));
        loop.runTasks();
        lookUp("b");
        assertThat(log.questions)
                .as("the question was asked before the others had ended")
                .hasSize(2);
        log.questions.getLast().complete(List.of(0L, 0L));
        loop.runTasks();

        lookUp("c");
        assertThat(known).containsExactly("a", "b", "c");
        assertThat(log.questions).hasSize(2);

        absence = OtherWriters.PRESENT;
        lookUp("d");
        absence = 9;
        lookUp("e");
        assertThat(known).hasSize(3);
    }

    @Test
    void aQuestionThatIsNotAnsweredIsRepeated() {
        replica.follow();
        lookUp("a");
        lookUp("b");
        log.questions.getFirst().completeExceptionally(new StoreUnavailableException("Kafka is away", null));
        loop.runTasks();
        assertThat(known).isEmpty();

        loop.advance(Duration.ofSeconds(1));
        log.questions.getLast().complete(List.of(0L, 0L));
        loop.runTasks();

        assertThat(log.questions).hasSize(2);
        assertThat(known).containsExactly("a", "b");
    }

    @Test
    void noLookupIsAnsweredWhenTheLogIsLost() {
        replica.follow();
        lookUp("a");
        log.questions.getFirst().complete(List.of(1L, 0L));
        log.follower().onLost("another build wrote it");
        loop.runTasks();

        assertThat(known).isEmpty();
        assertThat(waiting()).isZero();
        assertThat(lost).containsExactly("another build wrote it");
    }
}
