package io.heddle.core.session.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.RecordingQueueReader;
import java.util.Set;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** {@link QueuedSessions}, with the sessions behind it. */
final class QueuedSessionsTest extends PersistentSessionsFixture {
    @Test
    void aReaderIsFoundByItsSessionsGenerationOnly() {
        PersistentSession session = begun(PUMP, 10, 42);
        RecordingQueueReader reader = new RecordingQueueReader(loop, 42);
        assertThat(sessions.queued().reader(PUMP, 42)).isNull();

        session.reader(reader);

        assertThat(sessions.queued().reader(PUMP, 42)).isSameAs(reader);
        assertThat(sessions.queued().reader(PUMP, 41)).isNull();
        assertThat(sessions.queued().reader(new ClientId("other"), 42)).isNull();
        assertThat(sessions.queued().hasEnded(PUMP, 41)).isTrue();
        assertThat(sessions.queued().hasEnded(PUMP, 42)).isFalse();
        assertThat(sessions.queued().hasEnded(new ClientId("other"), 42)).isTrue();
    }

    @Test
    void aQueueWithoutASessionStaysUntilTheLogConfirmsItsEnd() {
        int bucket = sessions.bucket(PUMP);
        answer(store.connect(bucket, PUMP, 42, 0, 42, "node-1-a"));
        sessionLog.failWith(new StoreUnavailableException("Kafka is away", null));
        sessions.queued().removeQueue(bucket, PUMP, 42);
        assertThat(isRegistered(PUMP, 42)).as("this node may not be in charge").isTrue();

        sessionLog.failWith(null);
        sessionLog.hold();
        sessions.queued().removeQueue(bucket, PUMP, 42);
        assertThat(isRegistered(PUMP, 42)).isTrue();
        sessionLog.release();

        assertThat(isRegistered(PUMP, 42)).isFalse();
    }

    @Test
    void manySuspicionsAboutOneSessionAreConfirmedOnce() {
        int bucket = sessions.bucket(PUMP);
        int before = sessionLog.size();
        sessionLog.hold();
        sessions.queued().removeQueue(bucket, PUMP, 42);
        sessions.queued().removeQueue(bucket, PUMP, 42);
        assertThat(sessionLog.size()).isEqualTo(before + 1);

        sessionLog.release();
        sessions.queued().removeQueue(bucket, PUMP, 42);
        assertThat(sessionLog.size()).as("a later one").isEqualTo(before + 2);
    }

    @Test
    void theQueueOfAKnownSessionIsNotRemoved() {
        int bucket = sessions.bucket(PUMP);
        PersistentSession session = begun(PUMP, 10, 42);
        answer(store.connect(bucket, PUMP, 42, 0, 42, "node-1-a"));

        sessions.queued().removeQueue(bucket, PUMP, 42);

        assertThat(isRegistered(PUMP, 42)).isTrue();
        assertThat(records()).containsKey("pump-1");
        assertThat(sessions.find(PUMP)).isSameAs(session);
    }

    @Test
    void readersOfOlderSessionsLearnThatSequenceNumbersRestart() {
        PersistentSession old = begun(PUMP, 10, 1_000);
        RecordingQueueReader reader = new RecordingQueueReader(loop, 1_001);
        old.reader(reader);

        CompletionStage<Void> none = sessions.queued().endFeeds(old.bucket(), 5, 1_000);
        CompletionStage<Void> one = sessions.queued().endFeeds(old.bucket(), 5, 1_001);

        assertThat(none).isCompleted();
        assertThat(one).isNotCompleted();
        loop.runTasks();
        assertThat(one).isCompleted();
        assertThat(reader.heard()).containsExactly("reset");
    }

    @Test
    void connectedSessionsAreRegisteredAgainAfterARollback() {
        PersistentSession session = begun(PUMP, 10, 1_000);
        Registration registered = answer(store.connect(session.bucket(), PUMP, 1_000, 0, 1_001, "node-1-a"));
        RecordingQueueReader reader = new RecordingQueueReader(loop, registered.epoch());
        session.reader(reader);
        PersistentSession away = gone("pump-2", 10);
        store.loseEverything();

        assertThat(sessions.queued()
                        .reRegisterSessions(Set.of(session.bucket()))
                        .get(session.bucket()))
                .isCompleted();

        assertThat(answer(store.page(session.bucket(), PUMP, 1_000, registered.epoch(), 1, 1, 1))
                        .isOwned())
                .isTrue();
        assertThat(reader.heard()).as("on its event loop").isEmpty();
        loop.runTasks();
        assertThat(reader.heard()).containsExactly("rolled back");
        Registration next = answer(
                store.connect(away.bucket(), away.clientId(), away.generation(), 0, away.generation() + 1, "node-1-a"));
        assertThat(next.previousOwner()).isEmpty();
    }

    @Test
    void aConnectedSessionIsRegisteredAgain() {
        PersistentSession session = begun(PUMP, 10, 1_000);
        session.reader(new RecordingQueueReader(loop, 1_001));

        sessions.queued().reRegister(session.bucket(), PUMP, 1_000);
        sessions.queued().reRegister(session.bucket(), PUMP, 999);
        sessions.queued().reRegister(session.bucket(), new ClientId("nobody"), 1_000);

        assertThat(answer(store.page(session.bucket(), PUMP, 1_000, 1_001, 1, 1, 1))
                        .isOwned())
                .isTrue();
    }

    @Test
    void aRollbackOfOneBucketDoesNotAffectOthers() {
        PersistentSession session = begun(PUMP, 10, 1_000);
        RecordingQueueReader reader = new RecordingQueueReader(loop, 1_001);
        session.reader(reader);

        sessions.queued()
                .reRegisterSessions(Set.of((session.bucket() + 1) % 16))
                .values()
                .forEach(stage -> answer(stage));
        loop.runTasks();

        assertThat(reader.heard()).isEmpty();
    }
}
