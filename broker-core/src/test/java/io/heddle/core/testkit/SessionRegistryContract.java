package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.List;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;

/** What every {@link SessionRegistry} promises. Each test begins with an empty store. */
public abstract class SessionRegistryContract extends BucketContract {
    private static final SortedMap<Integer, MessageName> NO_NAMES = new TreeMap<>();

    @Test
    void aNewSessionBeginsEmptyAndItsEpochIsItsGeneration() {
        Registration session = connect(PUMP, NEW, NODE);

        assertThat(session)
                .isEqualTo(new Registration(
                        session.epoch(), session.epoch(), "", 0, 1, 0, 0, NO_NAMES, List.of(), session.position()));
        assertThat(page(PUMP, session, 1).isOwned()).isTrue();
    }

    @Test
    void aLateConnectionChangesNothing() {
        Registration session = connect(PUMP, NEW, NODE);
        long late = newEpoch();
        Registration current = connect(PUMP, session.generation(), NODE);
        enqueue(PUMP, session.generation(), "a");

        Registration answer = connect(PUMP, session.generation(), session.epoch(), late, OTHER_NODE);

        assertThat(answer.epoch()).isEqualTo(current.epoch());
        assertThat(answer.previousOwner()).isEqualTo(NODE);
        assertThat(texts(page(PUMP, current, 1))).containsExactly("1 a");
    }

    /** A node that was frozen begins a session of a client that another node has given a session meanwhile. */
    @Test
    void aLateNewSessionKeepsTheQueueOfTheLaterOne() {
        long late = newEpoch();
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        disconnect(PUMP, session.epoch(), 0);

        Registration answer = connect(PUMP, late, 0, late, OTHER_NODE);

        assertThat(answer.epoch()).isEqualTo(session.epoch());
        assertThat(enqueue(PUMP, session.generation(), "b"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 2, 0));
        assertThat(waiting(PUMP, session.generation())).containsExactly("1 a", "2 b");
    }

    @Test
    void aLateNewSessionKeepsTheQueueThatTheLogHasCreated() {
        long late = newEpoch();
        long generation = newEpoch();
        enqueue(PUMP, generation, "a");

        assertThat(connect(PUMP, late, 0, late, OTHER_NODE).epoch()).isEqualTo(generation);
        assertThat(waiting(PUMP, generation)).containsExactly("1 a");
    }

    @Test
    void theSameConnectionTwiceIsOne() {
        long epoch = newEpoch();
        Registration first = connect(PUMP, epoch, 0, epoch, NODE);
        enqueue(PUMP, epoch, "a");
        Registration second = connect(PUMP, epoch, 0, epoch, NODE);

        assertThat(second.epoch()).isEqualTo(first.epoch());
        assertThat(texts(page(PUMP, second, 1))).containsExactly("1 a");
    }

    @Test
    void connectReturnsAndFencesThePreviousOwner() {
        Registration first = connect(PUMP, NEW, NODE);
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
    void aResumedSessionKeepsItsQueue() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a", "b", "c");
        done(new InboundReceived(PUMP, generation, 9, PublishMessages.NAME));
        acknowledge(PUMP, generation, 1);
        disconnect(PUMP, session.epoch(), 2);

        Registration again = connect(PUMP, generation, OTHER_NODE);
        assertThat(again)
                .isEqualTo(new Registration(
                        generation,
                        again.epoch(),
                        "",
                        0,
                        2,
                        3,
                        2,
                        new TreeMap<>(Map.of(9, PublishMessages.NAME)),
                        List.of(),
                        again.position()));
        assertThat(texts(page(PUMP, again, 1))).containsExactly("2 b", "3 c");
        acknowledge(PUMP, generation, 3);
        Registration empty = connect(PUMP, generation, NODE);
        assertThat(empty.head()).isEqualTo(4);
        assertThat(empty.tail()).isEqualTo(3);
    }

    @Test
    void theSentMessagesAreUnknownWhenTheOwnerDidNotDisconnect() {
        Registration session = connect(PUMP, NEW, NODE);
        disconnect(PUMP, session.epoch(), 7);
        Registration second = connect(PUMP, session.generation(), NODE);

        assertThat(second.sentUpTo()).isEqualTo(7);
        assertThat(connect(PUMP, session.generation(), OTHER_NODE).sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
        assertThat(connect(PUMP, NEW, NODE).sentUpTo())
                .as("a new session has sent nothing")
                .isZero();
    }

    @Test
    void theSentMessagesAreUnknownWhenTheStoreMissedAConnection() {
        Registration session = connect(PUMP, NEW, NODE);
        disconnect(PUMP, session.epoch(), 7);

        Registration later = connect(PUMP, session.generation(), session.epoch() + 1, newEpoch(), NODE);

        assertThat(later.sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
    }

    @Test
    void connectReturnsThePositionOfTheBucket() {
        Registration first = connect(PUMP, NEW, NODE);
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
    void anUnknownSessionBeginsEmptyWithItsGeneration() {
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
                        NO_NAMES,
                        List.of(),
                        session.position()));
        assertThat(enqueue(PUMP, GENERATION, "a"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 1, session.epoch()));
    }

    @Test
    void aNewSessionLeavesNothingOfTheOldOne() {
        Registration old = connect(PUMP, NEW, NODE);
        enqueue(PUMP, old.generation(), "a", "b");
        done(new InboundReceived(PUMP, old.generation(), 9, PublishMessages.NAME));
        Registration session = connect(PUMP, NEW, OTHER_NODE);

        assertThat(session)
                .isEqualTo(new Registration(
                        session.epoch(),
                        session.epoch(),
                        NODE,
                        old.epoch(),
                        1,
                        0,
                        0,
                        NO_NAMES,
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
    void anotherGenerationBeginsEmpty() {
        Registration old = connect(PUMP, NEW, NODE);
        enqueue(PUMP, old.generation(), "a");
        long later = old.generation() + 10;
        Registration session = connect(PUMP, later, NODE);

        assertThat(session.generation()).isEqualTo(later);
        assertThat(session.tail()).isZero();
        assertThat(session.previousEpoch()).isEqualTo(old.epoch());
        enqueue(PUMP, later, "b");
        Registration earlier = connect(PUMP, old.generation(), NODE);
        assertThat(earlier.generation()).isEqualTo(old.generation());
        assertThat(page(PUMP, earlier, 1).entries()).isEmpty();
    }

    @Test
    void anEndedSessionIsRemoved() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        done(new InboundReceived(PUMP, session.generation(), 9, PublishMessages.NAME));

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
    void endReturnsTheNumberOfQueuedMessages() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a", "b", "c", "d");
        acknowledge(PUMP, session.generation(), 1);
        done(new OutboundReceived(PUMP, session.generation(), 2));

        assertThat(end(PUMP, session.generation())).isEqualTo(3);
        assertThat(end(VALVE, GENERATION)).as("not known").isZero();
    }

    @Test
    void connectReturnsReceivedPubrecsInTheirOrder() {
        Registration session = connect(PUMP, NEW, NODE);
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
    void aNewSessionHasNoReceivedPubrecs() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        done(new OutboundReceived(PUMP, session.generation(), 1));

        assertThat(connect(PUMP, NEW, NODE).outboundReceived()).isEmpty();
    }

    @Test
    void aLostRegistrationOfAConnectedSessionIsRestored() {
        Registration session = connect(PUMP, NEW, NODE);
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
    void aLostRegistrationOfADisconnectedSessionIsRestored() {
        restore(new Known(PUMP, GENERATION, GENERATION + 5, ""), new Known(VALVE, GENERATION, GENERATION + 5, ""));

        Registration session = connect(PUMP, GENERATION, NODE);
        assertThat(session.previousOwner()).isEmpty();
        assertThat(session.generation()).isEqualTo(GENERATION);
        assertThat(session.sentUpTo()).isEqualTo(SessionRegistry.UNKNOWN);
    }

    @Test
    void restoreKeepsARegistrationWithTheSameOrAHigherEpoch() {
        Registration session = connect(PUMP, NEW, NODE);
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
    void restoreReplacesARegistrationWithALowerEpoch() {
        Registration session = connect(PUMP, NEW, NODE);
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
