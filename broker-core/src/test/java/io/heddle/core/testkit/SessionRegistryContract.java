package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;

/** What every {@link SessionRegistry} promises. Each test begins with an empty store. */
public abstract class SessionRegistryContract extends BucketContract {
    @Test
    void aNewSessionBeginsEmptyAndItsEpochIsItsGeneration() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);

        assertThat(session)
                .isEqualTo(new Registration(
                        session.epoch(), session.epoch(), "", 0, 1, 0, 0, List.of(), List.of(), session.position()));
        assertThat(page(PUMP, session, 1).isOwned()).isTrue();
    }

    @Test
    void anEpochIsTheStoresTimeInMicroseconds() {
        long allowed = TimeUnit.MINUTES.toMicros(1);

        assertThat(connect(PUMP, SessionRegistry.NEW, NODE).epoch())
                .isBetween(store().micros() - allowed, store().micros() + allowed);
    }

    @Test
    void anEpochIsAboveEveryEarlierOneAndTheLeastThatIsAskedFor() {
        Registration first = connect(PUMP, SessionRegistry.NEW, NODE);
        long ahead = first.epoch() + Duration.ofDays(1).toNanos() / 1_000;
        Registration second = await(registry().connect(BUCKET, PUMP, first.generation(), ahead, NODE));
        Registration third = connect(PUMP, first.generation(), NODE);
        Registration anew = connect(PUMP, SessionRegistry.NEW, NODE);

        assertThat(second.epoch()).isEqualTo(ahead + 1);
        assertThat(third.epoch()).isEqualTo(ahead + 2);
        assertThat(anew.epoch()).isEqualTo(ahead + 3);
        assertThat(connect(VALVE, ahead, NODE).epoch())
                .as("above its generation, which was an epoch")
                .isGreaterThan(ahead);
    }

    @Test
    void whoeverHadTheSessionIsNamedAndFenced() {
        Registration first = connect(PUMP, SessionRegistry.NEW, NODE);
        Registration second = connect(PUMP, first.generation(), OTHER_NODE);

        assertThat(second.previousOwner()).isEqualTo(NODE);
        assertThat(second.previousEpoch()).isEqualTo(first.epoch());
        assertThat(second.epoch()).isGreaterThan(first.epoch());
        assertThat(second.generation()).isEqualTo(first.generation());
        assertThat(page(PUMP, first, 1).isOwned()).isFalse();
        disconnect(PUMP, first.epoch(), 5);
        assertThat(page(PUMP, second, 1).isOwned())
                .as("the old owner's farewell comes late")
                .isTrue();

        disconnect(PUMP, second.epoch(), 0);
        Registration third = connect(PUMP, first.generation(), NODE);
        assertThat(third.previousOwner()).isEmpty();
        assertThat(third.previousEpoch()).isZero();
    }

    @Test
    void aSessionGoesOnWithItsQueue() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a", "b", "c");
        done(new InboundReceived(PUMP, generation, 9));
        acknowledge(PUMP, generation, 1);
        disconnect(PUMP, session.epoch(), 2);

        Registration again = connect(PUMP, generation, OTHER_NODE);
        assertThat(again)
                .isEqualTo(new Registration(
                        generation, again.epoch(), "", 0, 2, 3, 2, List.of(9), List.of(), again.position()));
        assertThat(texts(page(PUMP, again, 1))).containsExactly("2 b", "3 c");
        acknowledge(PUMP, generation, 3);
        Registration empty = connect(PUMP, generation, NODE);
        assertThat(empty.head()).isEqualTo(4);
        assertThat(empty.tail()).isEqualTo(3);
    }

    @Test
    void anOwnerThatHadNoTimeToSayLeavesUnknownWhatItSent() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        disconnect(PUMP, session.epoch(), 7);
        Registration second = connect(PUMP, session.generation(), NODE);

        assertThat(second.sentUpTo()).isEqualTo(7);
        assertThat(connect(PUMP, session.generation(), OTHER_NODE).sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
        assertThat(connect(PUMP, SessionRegistry.NEW, NODE).sentUpTo())
                .as("a new session has sent nothing")
                .isZero();
    }

    @Test
    void howFarTheQueueWasSentIsUnknownWhenTheLastConnectionIsForgotten() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        disconnect(PUMP, session.epoch(), 7);

        Registration later = await(registry().connect(BUCKET, PUMP, session.generation(), session.epoch() + 1, NODE));

        assertThat(later.sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
    }

    @Test
    void whoComesIsToldWhereTheBucketStands() {
        Registration first = connect(PUMP, SessionRegistry.NEW, NODE);
        assertThat(first.position()).isEqualTo(await(queues().position(BUCKET)));
        enqueue(PUMP, first.generation(), "a");
        Registration second = connect(PUMP, first.generation(), NODE);
        assertThat(second.position()).isEqualTo(await(queues().position(BUCKET)));
        assertThat(second.position().isBehind(first.position())).isFalse();
        assertThat(first.position().isBehind(second.position())).isTrue();

        store().loseEverything();
        Registration third = connect(PUMP, first.generation(), NODE);
        assertThat(third.position().isBehind(second.position())).isTrue();
        assertThat(third.position().viewId()).isNotEqualTo(second.position().viewId());
    }

    @Test
    void aSessionThatIsNotKnownBeginsEmptyWithItsGeneration() {
        Registration session = connect(PUMP, GENERATION, NODE);

        assertThat(session)
                .isEqualTo(new Registration(
                        GENERATION,
                        session.epoch(),
                        "",
                        0,
                        1,
                        0,
                        SessionRegistry.UNKNOWN,
                        List.of(),
                        List.of(),
                        session.position()));
        assertThat(enqueue(PUMP, GENERATION, "a"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 1, session.epoch()));
    }

    @Test
    void aNewSessionLeavesNothingOfTheOldOne() {
        Registration old = connect(PUMP, SessionRegistry.NEW, NODE);
        enqueue(PUMP, old.generation(), "a", "b");
        done(new InboundReceived(PUMP, old.generation(), 9));
        Registration session = connect(PUMP, SessionRegistry.NEW, OTHER_NODE);

        assertThat(session)
                .isEqualTo(new Registration(
                        session.epoch(),
                        session.epoch(),
                        NODE,
                        old.epoch(),
                        1,
                        0,
                        0,
                        List.of(),
                        List.of(),
                        session.position()));
        assertThat(enqueue(PUMP, old.generation(), "late"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.SESSION_ENDED, 0, 0));
        assertThat(page(PUMP, session, 1).entries()).isEmpty();
        assertThat(enqueue(PUMP, session.generation(), "c"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 1, session.epoch()));
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 c");
    }

    @Test
    void aLaterGenerationBeginsEmptyAndAnEarlierOneGoesOnWithTheLater() {
        Registration old = connect(PUMP, SessionRegistry.NEW, NODE);
        enqueue(PUMP, old.generation(), "a");
        long later = old.generation() + 10;
        Registration session = connect(PUMP, later, NODE);

        assertThat(session.generation()).isEqualTo(later);
        assertThat(session.tail()).isZero();
        assertThat(session.previousEpoch()).isEqualTo(old.epoch());
        enqueue(PUMP, later, "b");
        Registration behind = connect(PUMP, old.generation(), NODE);
        assertThat(behind.generation()).isEqualTo(later);
        assertThat(texts(page(PUMP, behind, 1))).containsExactly("1 b");
    }

    @Test
    void aSessionThatIsOverIsForgotten() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        done(new InboundReceived(PUMP, session.generation(), 9));

        assertThat(end(PUMP, session.generation() - 1)).isZero();
        assertThat(texts(page(PUMP, session, 1))).as("another generation").containsExactly("1 a");
        assertThat(end(PUMP, session.generation())).isOne();
        assertThat(end(PUMP, session.generation())).isZero();
        assertThat(page(PUMP, session, 1).isOwned()).isFalse();
        Registration again = connect(PUMP, session.generation(), NODE);
        assertThat(again.previousOwner()).isEmpty();
        assertThat(again.tail()).isZero();
        assertThat(again.inboundReceived()).isEmpty();
        assertThat(page(PUMP, again, 1).entries()).isEmpty();
    }

    @Test
    void theEndOfASessionSaysHowManyMessagesWereInItsQueue() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        enqueue(PUMP, session.generation(), "a", "b", "c", "d");
        acknowledge(PUMP, session.generation(), 1);
        done(new OutboundReceived(PUMP, session.generation(), 2));

        assertThat(end(PUMP, session.generation())).isEqualTo(3);
        assertThat(end(VALVE, GENERATION)).as("not known").isZero();
    }

    @Test
    void whatPubrecHasComeForIsToldInTheOrderInWhichItCame() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a", "b", "c", "d", "e");
        done(new OutboundReceived(PUMP, generation, 4), new OutboundReceived(PUMP, generation, 1));
        done(
                new OutboundReceived(PUMP, generation, 3),
                new OutboundReceived(PUMP, generation, 4),
                new OutboundReceived(PUMP, generation, 2));

        assertThat(connect(PUMP, generation, NODE).outboundReceived())
                .as("one that comes again has the place of its first")
                .containsExactly(4L, 1L, 3L, 2L);
        acknowledge(PUMP, generation, 2);
        assertThat(connect(PUMP, generation, NODE).outboundReceived()).containsExactly(4L, 3L);
        acknowledge(PUMP, generation, 4);
        assertThat(connect(PUMP, generation, NODE).outboundReceived()).isEmpty();
        assertThat(texts(page(PUMP, connect(PUMP, generation, NODE), 1))).containsExactly("5 e");
    }

    @Test
    void aNewSessionHasReceivedNothing() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        done(new OutboundReceived(PUMP, session.generation(), 1));

        assertThat(connect(PUMP, SessionRegistry.NEW, NODE).outboundReceived()).isEmpty();
    }

    @Test
    void aForgottenConnectedSessionIsKnownAgain() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        store().loseEverything();
        enqueue(PUMP, session.generation(), "a");
        assertThat(page(PUMP, session, 1).isOwned()).isFalse();
        restore(new Known(PUMP, session.generation(), session.epoch(), NODE));

        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a");
        Registration next = connect(PUMP, session.generation(), OTHER_NODE);
        assertThat(next.previousOwner()).isEqualTo(NODE);
        assertThat(next.previousEpoch()).isEqualTo(session.epoch());
        assertThat(next.epoch()).isGreaterThan(session.epoch());
        assertThat(next.sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
    }

    @Test
    void aForgottenSessionThatNobodyHasIsKnownAgain() {
        restore(new Known(PUMP, GENERATION, GENERATION + 5, ""), new Known(VALVE, GENERATION, GENERATION + 5, ""));

        Registration session = connect(PUMP, GENERATION, NODE);
        assertThat(session.previousOwner()).isEmpty();
        assertThat(session.generation()).isEqualTo(GENERATION);
        assertThat(session.sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
    }

    @Test
    void whatIsKnownOfTheSameOrAHigherEpochStays() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        disconnect(PUMP, session.epoch(), 4);
        restore(new Known(PUMP, generation, session.epoch(), OTHER_NODE));
        restore(new Known(PUMP, generation, session.epoch() - 1, OTHER_NODE));
        restore(new Known(PUMP, generation - 1, session.epoch() - 1, OTHER_NODE));

        Registration again = connect(PUMP, generation, NODE);
        assertThat(again.previousOwner()).isEmpty();
        assertThat(again.sentUpTo()).isEqualTo(4);
    }

    @Test
    void aHigherEpochIsTakenOver() {
        Registration session = connect(PUMP, SessionRegistry.NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a");
        restore(new Known(PUMP, generation, session.epoch() + 1, OTHER_NODE));

        assertThat(page(PUMP, session, 1).isOwned()).isFalse();
        assertThat(await(queues().page(BUCKET, PUMP, generation, session.epoch() + 1, 1, 10, 1_000))
                        .entries())
                .as("with its queue")
                .hasSize(1);
        restore(new Known(PUMP, generation + 1, session.epoch() + 2, ""));
        assertThat(connect(PUMP, generation + 1, NODE).tail())
                .as("a later session begins empty")
                .isZero();
    }

    private int end(ClientId clientId, long generation) {
        return await(registry().end(BUCKET, clientId, generation));
    }

    private void restore(Known... sessions) {
        await(registry().restore(BUCKET, List.of(sessions)));
    }
}
