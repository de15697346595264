package io.heddle.core.session.persistent;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.WillMessage;
import java.time.Duration;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The wills in the records of {@link PersistentSessions}. */
final class PersistentSessionsWillTest extends PersistentSessionsFixture {
    private static final WillMessage WILL = new WillMessage(
            TopicName.parse("will", 8), BinaryData.EMPTY, QoS.AT_MOST_ONCE, false, 5, PublishProperties.NONE);

    @Test
    void aWillWithoutDelayIsDueForAClockThatIsBehind() {
        WillMessage immediate = new WillMessage(
                TopicName.parse("will", 8), BinaryData.EMPTY, QoS.AT_MOST_ONCE, false, 0, PublishProperties.NONE);
        PersistentSession session = begun(PUMP, 10, 42);
        sessions.disconnected(session, 10, immediate);

        assertThat(sessions.waitingWills().takeDue(session, NOW - 1_500)).isSameAs(immediate);
    }

    @Test
    void aSessionThatEndsWithItsConnectionIsOverForAClockThatIsBehind() {
        PersistentSession session = begun(PUMP, 10, 42);
        sessions.disconnected(session, 0, null);

        assertThat(session.record().isOverAt(NOW - 1_500)).isTrue();
    }

    @Test
    void aWillThatIsPutBackWaitsUnlessTheClientHasReconnected() {
        PersistentSession session = begun(PUMP, 10, 42);
        long without = memory.chargedBytes();
        sessions.disconnected(session, 10, WILL);
        sessions.waitingWills().take(session);

        sessions.waitingWills().putBack(session, WILL, NOW + 1);
        assertThat(sessions.waitingWills().due(NOW, 10)).isEmpty();
        assertThat(sessions.waitingWills().due(NOW + 1, 10)).containsExactly(session);
        assertThat(memory.chargedBytes()).isEqualTo(without + WILL.heldBytes());

        assertThat(sessions.waitingWills().take(session)).isSameAs(WILL);
        assertThat(sessions.acquire(session)).isTrue();
        sessions.connected(session, 10, "user", "node-1-a", 43, null);
        sessions.waitingWills().putBack(session, WILL, NOW + 1);
        assertThat(session.record().will()).isNull();
        assertThat(memory.chargedBytes()).isEqualTo(without);
    }

    @Test
    void aSessionThatWasFoundDueKeepsTheWillOfALaterConnection() {
        PersistentSession session = begun(PUMP, 60, 42);
        sessions.disconnected(session, 60, WILL);
        loop.advance(Duration.ofSeconds(5));
        assertThat(sessions.waitingWills().due(NOW + 5_000, 10)).containsExactly(session);
        assertThat(sessions.acquire(session)).isTrue();
        sessions.connected(session, 60, "user", "node-1-a", 43, WILL);
        sessions.disconnected(session, 60, WILL);

        assertThat(sessions.waitingWills().takeDue(session, NOW + 5_000)).isNull();

        assertThat(sessions.waitingWills().due(NOW + 10_000, 10)).containsExactly(session);
        assertThat(sessions.waitingWills().takeDue(session, NOW + 10_000)).isSameAs(WILL);
    }

    @Test
    void theRecordIsWrittenWhenTheWillHasArrivedWithTheLatestState() {
        PersistentSession session = begun(PUMP, 10, 42);
        SessionRecord before = records().get("pump-1");
        session.stored().beginWillPublish();
        session.stored().beginWillPublish();

        sessions.disconnected(session, 10, null);
        assertThat(sessions.acquire(session)).isTrue();
        sessions.connected(session, 20, "user", "node-1-a", 43, null);
        sessions.endWillPublish(session);
        assertThat(records()).containsEntry("pump-1", before);
        sessions.endWillPublish(session);

        assertThat(records()).containsEntry("pump-1", session.record());
        assertThat(session.record().epoch()).isEqualTo(43);
    }

    @Test
    void aRecordThatWasCommittedWithItsWillIsNotWrittenAgain() {
        PersistentSession session = begun(PUMP, 10, 42);
        int before = clientLog.sessions.size();
        session.stored().beginWillPublish();
        CompletionStage<Void> written = sessions.disconnected(session, 10, null);
        session.stored().onCommittedWithWill(requireNonNull(session.stored().changeWithWill()));
        sessions.endWillPublish(session);
        assertThat(written).isCompleted();
        assertThat(clientLog.sessions.size()).isEqualTo(before);

        session.stored().beginWillPublish();
        ClientChange.OfSession away = requireNonNull(session.stored().changeWithWill());
        assertThat(sessions.acquire(session)).isTrue();
        sessions.connected(session, 20, "user", "node-1-a", 43, null);
        session.stored().onCommittedWithWill(away);
        sessions.endWillPublish(session);

        assertThat(records()).containsEntry("pump-1", session.record());
    }

    @Test
    void aWillThatArrivesAfterTheEndDoesNotRestoreTheSession() {
        PersistentSession session = begun(PUMP, 10, 42);
        session.stored().beginWillPublish();
        sessions.disconnected(session, 10, null);

        answer(sessions.end(session));
        assertThat(session.stored().changeWithWill()).isNull();
        sessions.endWillPublish(session);

        assertThat(records()).isEmpty();
    }
}
