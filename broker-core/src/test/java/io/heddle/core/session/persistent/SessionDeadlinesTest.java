package io.heddle.core.session.persistent;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.subscription.PersistentSubscriber;
import io.heddle.core.testkit.ManualEventLoop;
import java.util.List;
import org.junit.jupiter.api.Test;

final class SessionDeadlinesTest {
    private static final long FOREVER = 0xFFFF_FFFFL;

    private final SessionDeadlines deadlines = new SessionDeadlines();

    @Test
    void sessionsAreDueInTheOrderOfTheirExpiry() {
        PersistentSession last = away("last", 1_000, 30);
        PersistentSession first = away("first", 2_000, 10);
        PersistentSession second = away("second", 0, 20);

        assertThat(deadlines.due(11_999, 10)).isEmpty();
        assertThat(deadlines.due(12_000, 10)).containsExactly(first);
        assertThat(deadlines.due(100_000, 10)).containsExactly(second, last);
        assertThat(deadlines.due(100_000, 10)).as("each once").isEmpty();
    }

    @Test
    void sessionsThatExpireAtTheSameTimeAreAllDue() {
        List<PersistentSession> all = List.of(away("a", 0, 1), away("b", 0, 1), away("c", 0, 1));

        assertThat(deadlines.due(1_000, 2)).hasSize(2).isSubsetOf(all);
        assertThat(deadlines.due(1_000, 2)).hasSize(1).isSubsetOf(all);
    }

    @Test
    void aSessionThatNeverExpiresIsNeverDue() {
        away("forever", 0, FOREVER);
        PersistentSession almost = away("almost", 0, FOREVER - 1);

        assertThat(deadlines.due(Long.MAX_VALUE, 10)).containsExactly(almost);
    }

    @Test
    void aReconnectedSessionIsNotDue() {
        PersistentSession session = away("pump", 0, 1);

        deadlines.remove(session);
        deadlines.remove(session);

        assertThat(deadlines.due(1_000, 10)).isEmpty();
    }

    @Test
    void theLatestDisconnectDeterminesTheDeadline() {
        PersistentSession session = away("pump", 0, 1);
        session.stored().change(record(5_000, 1));
        deadlines.add(session);

        assertThat(deadlines.due(5_999, 10)).isEmpty();
        assertThat(deadlines.due(6_000, 10)).containsExactly(session);

        session.stored().change(record(7_000, FOREVER));
        deadlines.add(session);
        assertThat(deadlines.due(Long.MAX_VALUE, 10)).isEmpty();
    }

    @Test
    void aDeadlineIsPostponedUnlessThereIsANewOne() {
        PersistentSession session = away("pump", 0, 1);
        deadlines.due(1_000, 10);

        deadlines.postpone(session, 2_000);
        deadlines.postpone(session, 9_000);

        assertThat(deadlines.due(1_999, 10)).isEmpty();
        assertThat(deadlines.due(2_000, 10)).containsExactly(session);
    }

    private PersistentSession away(String clientId, long sinceMillis, long expirySeconds) {
        PersistentSession session = new PersistentSession(
                new PersistentSubscriber(new ClientId(clientId), ClientType.DEVICE, 0, 1),
                new ManualEventLoop(0),
                record(sinceMillis, expirySeconds));
        deadlines.add(session);
        return session;
    }

    private static SessionRecord record(long awaySinceMillis, long expirySeconds) {
        return new SessionRecord(1, ClientType.DEVICE, null, expirySeconds, "", 1, awaySinceMillis);
    }
}
