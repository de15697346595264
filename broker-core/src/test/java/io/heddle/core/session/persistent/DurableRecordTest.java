package io.heddle.core.session.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Objects;
import org.junit.jupiter.api.Test;

/**
 * Whether the log is known to contain the record of a session. A session whose record is not durable must not be registered again: Redis would
 * replace the queue of the client's present session with that of one that is never committed.
 */
final class DurableRecordTest extends PersistentSessionsFixture {
    @Test
    void aRecordIsDurableOnceItsLatestCommitHasSucceeded() {
        sessionLog.hold();
        var _ = begin(PUMP, 60, 42);
        PersistentSession session = Objects.requireNonNull(sessions.find(PUMP));
        assertThat(session.isRecordDurable())
                .as("the first commit is in flight")
                .isFalse();
        sessionLog.release();
        assertThat(session.isRecordDurable()).isTrue();

        sessionLog.failWith(new IllegalStateException("fenced"));
        sessions.disconnected(session, 60, null);
        assertThat(session.isRecordDurable()).as("the commit has failed").isFalse();
        sessionLog.failWith(null);
        sessions.retryWrites(10);
        assertThat(session.isRecordDurable()).isTrue();
    }

    @Test
    void theFirstRecordIsNotDurableIfItsCommitFails() {
        sessionLog.failWith(new IllegalStateException("fenced"));

        var _ = begin(PUMP, 60, 42);

        assertThat(Objects.requireNonNull(sessions.find(PUMP)).isRecordDurable())
                .isFalse();
    }
}
