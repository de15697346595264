package io.heddle.app.e2e.faults;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.app.e2e.faults.MessageStream.Kind;
import io.heddle.app.e2e.faults.MessageStream.Sent;
import io.heddle.app.e2e.faults.SessionLog.Subscription;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

/** The ledger finds each kind of loss, repetition and disorder, and accepts what the guarantees leave open. */
final class LedgerTest {
    private static final String GROUP = "$share/group/f/+";

    private final Ledger ledger = new Ledger();
    private final MessageStream once = ledger.stream("once", "f/1", 1, Kind.MESSAGES);
    private final MessageStream exactlyOnce = ledger.stream("exactly", "f/1", 2, Kind.MESSAGES);

    private SessionLog subscriber(String clientId, String filter) {
        SessionLog session = ledger.begin(clientId, true);
        session.subscribed(session.subscribe(filter, 2));
        return session;
    }

    private Sent acknowledged(MessageStream stream) {
        Sent sent = ledger.publish(stream, 1);
        ledger.acknowledged(sent);
        return sent;
    }

    private void receive(SessionLog session, Sent... messages) {
        for (Sent sent : messages) {
            ledger.received(session, sent.payload(), sent.stream.qos, false, false);
        }
    }

    private List<String> missing() {
        return ledger.missing(ledger.now());
    }

    @Test
    void anAcknowledgedMessageMustReachEachSubscribedSession() {
        SessionLog first = subscriber("first", "f/+");
        SessionLog second = subscriber("second", "f/1");
        Sent message = acknowledged(once);
        receive(first, message);

        assertThat(missing()).singleElement().asString().contains("once:1", "second");
        receive(second, message);
        assertThat(missing()).isEmpty();
    }

    @Test
    void nothingIsOwedBeforeSubAckAfterUnsubscribeOrBeforeTheAcknowledgement() {
        SessionLog session = ledger.begin("client", true);
        Subscription subscription = session.subscribe("f/1", 2);
        acknowledged(once);
        session.subscribed(subscription);
        Sent late = ledger.publish(once, 1);
        assertThat(missing()).isEmpty();
        session.end(subscription);
        ledger.acknowledged(late);

        assertThat(missing()).isEmpty();
    }

    @Test
    void aMessageThatWasAcknowledgedBeforeUnsubscribeIsOwed() {
        SessionLog session = ledger.begin("client", true);
        Subscription subscription = session.subscribe("f/1", 2);
        session.subscribed(subscription);
        acknowledged(once);
        session.end(subscription);

        assertThat(missing()).hasSize(1);
    }

    @Test
    void nothingIsOwedToAnEndedSession() {
        SessionLog session = subscriber("client", "f/1");
        acknowledged(once);
        ledger.end(session);

        assertThat(missing()).isEmpty();
    }

    @Test
    void aQos2MessageMustComeOnceAlsoInAnotherConnection() {
        SessionLog session = subscriber("client", "f/1");
        Sent message = acknowledged(exactlyOnce);
        exactlyOnce.repeated(message);
        receive(session, message);
        session.reconnected();
        receive(session, message);

        assertThat(ledger.reports()).singleElement().asString().contains("exactly:1 twice");
    }

    @Test
    void aQos1MessageMayComeAgainOnlyBehindAReconnect() {
        SessionLog session = subscriber("client", "f/1");
        Sent repeated = acknowledged(once);
        Sent redelivered = acknowledged(once);
        Sent faulty = acknowledged(once);
        receive(session, repeated, redelivered);
        once.repeated(repeated);
        receive(session, repeated);
        session.reconnected();
        receive(session, redelivered, faulty);
        assertThat(ledger.reports()).isEmpty();

        receive(session, faulty);

        assertThat(ledger.reports()).singleElement().asString().contains("once:3 twice");
    }

    @Test
    void theMessagesOfAStreamMustComeInOrder() {
        SessionLog session = subscriber("client", "f/1");
        Sent first = acknowledged(once);
        Sent second = acknowledged(once);
        receive(session, second, first);

        assertThat(ledger.reports()).singleElement().asString().contains("once:1", "after number 2");
    }

    @Test
    void onlyAbandonedMessagesOfAnEarlierConnectionMayComeLate() {
        SessionLog session = subscriber("client", "f/1");
        Sent abandoned = ledger.publish(once, 1);
        Sent abandonedToo = ledger.publish(once, 2);
        Sent last = ledger.publish(once, 2);
        abandoned.abandoned = true;
        abandonedToo.abandoned = true;
        receive(session, last, abandoned);
        assertThat(ledger.reports()).isEmpty();

        receive(session, abandonedToo);

        assertThat(ledger.reports()).singleElement().asString().contains("once:2", "after number 3");
    }

    @Test
    void messagesThatWereNeverSentOrSubscribedToAreReported() {
        SessionLog session = subscriber("client", "g/1");
        receive(session, acknowledged(once));
        ledger.received(subscriber("other", "f/1"), "once:2", 1, false, false);
        ledger.received(session, "unknown:1", 1, false, false);

        assertThat(ledger.reports())
                .satisfiesExactly(
                        report -> assertThat(report).contains("to which it is not subscribed"),
                        report -> assertThat(report).contains("which was never sent"),
                        report -> assertThat(report).contains("which no client sends"));
    }

    @Test
    void oneMemberOfAGroupMustReceiveEachMessage() {
        SessionLog first = subscriber("first", GROUP);
        SessionLog second = subscriber("second", GROUP);
        Sent lost = acknowledged(once);
        receive(first, acknowledged(once));
        receive(second, acknowledged(once));

        assertThat(missing()).singleElement().asString().contains(lost.payload(), GROUP);
    }

    @Test
    void aGroupWithAMemberWithoutPersistentSessionMayLoseMessages() {
        subscriber("first", GROUP);
        SessionLog second = ledger.begin("second", false);
        second.subscribed(second.subscribe(GROUP, 2));
        acknowledged(once);

        assertThat(missing()).isEmpty();
    }

    @Test
    void onlyOneMemberOfAGroupMayReceiveAQos2Message() {
        SessionLog first = subscriber("first", GROUP);
        SessionLog second = subscriber("second", GROUP);
        Sent message = acknowledged(exactlyOnce);
        receive(first, message);
        receive(second, message);

        assertThat(ledger.reports()).singleElement().asString().contains("another member");
    }

    @Test
    void aMemberThatHasSubscribedAgainIsOneMember() {
        SessionLog member = ledger.begin("member", true);
        member.end(member.subscribe(GROUP, 2));
        member.subscribed(member.subscribe(GROUP, 2));
        receive(member, acknowledged(exactlyOnce));

        assertThat(ledger.reports()).isEmpty();
    }

    @Test
    void theWillOfALostConnectionMustComeOnce() {
        MessageStream wills = ledger.stream("will", "w/client", 2, Kind.WILLS);
        SessionLog watcher = subscriber("watcher", "w/#");
        Sent will = ledger.announceWill(wills);
        assertThat(missing()).isEmpty();
        ledger.willIsDue(will, ledger.next());
        assertThat(missing()).singleElement().asString().contains("will:1");

        receive(watcher, will);
        assertThat(missing()).isEmpty();
        receive(watcher, will);
        assertThat(ledger.reports()).singleElement().asString().contains("will:1 twice");
    }

    @Test
    void aWillMustNotComeWhileItsConnectionExists() {
        MessageStream wills = ledger.stream("will", "w/client", 2, Kind.WILLS);
        SessionLog watcher = subscriber("watcher", "w/#");
        Sent lost = ledger.announceWill(wills);
        Sent live = ledger.announceWill(wills);
        receive(watcher, lost, live);
        ledger.willIsDue(lost, ledger.next());

        ledger.reportEarlyWills(System.nanoTime());

        assertThat(ledger.reports()).singleElement().asString().contains("will:2 was published");
    }

    @Test
    void theLastAcknowledgedRetainedMessageIsExpected() {
        MessageStream retained = ledger.stream("retained", "r/1", 1, Kind.RETAINED);
        acknowledged(retained);
        acknowledged(retained);
        ledger.publish(retained, 1);

        assertThat(ledger.lastRetained()).containsExactly(Map.entry("retained", 2));
    }
}
