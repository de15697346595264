package io.heddle.core.testkit;

import static io.heddle.core.testkit.PublishMessages.expiring;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.QueueEnds;
import io.heddle.core.delivery.device.DeviceQueues.SessionKey;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueuePage.Ownership;
import io.heddle.core.delivery.device.QueueView;
import io.heddle.core.delivery.log.BucketCommand.Cleared;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What every {@link io.heddle.core.delivery.device.DeviceQueues} promises about pages: bounds, gaps and owners. */
public abstract class QueuePageContract extends QueueBoundsContract {
    @Test
    void aPageStartsAtTheRequestedSequenceNumberAndRespectsItsBounds() {
        Registration session = connect(PUMP, NEW, NODE);
        String[] payloads = new String[50];
        for (int i = 0; i < payloads.length; i++) {
            payloads[i] = "m" + (i + 1);
        }
        enqueue(PUMP, session.generation(), payloads);

        QueuePage page = page(session, 3, 2, Integer.MAX_VALUE);
        assertThat(texts(page)).containsExactly("3 m3", "4 m4");
        assertThat(page.tail()).isEqualTo(50);
        assertThat(page.isOwned()).isTrue();
        assertThat(page(session, 1, 40, Integer.MAX_VALUE).entries()).hasSize(40);
        assertThat(page(session, 1, 100, Integer.MAX_VALUE).entries()).hasSize(50);
        assertThat(texts(page(session, 50, 100, 1))).containsExactly("50 m50");
        assertThat(texts(page(session, 7, 100, 1))).as("at least one").containsExactly("7 m7");
        assertThat(page(session, 51, 100, 1_000)).isEqualTo(new QueuePage(Ownership.OWNER, List.of(), 50));
        assertThat(page(session, 1_000, 100, 1_000)).isEqualTo(new QueuePage(Ownership.OWNER, List.of(), 50));
    }

    @Test
    void aPageSkipsMissingSequenceNumbers() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        List<String> expected = new ArrayList<>();
        for (int i = 1; i <= 60; i++) {
            boolean over = i % 3 == 0;
            done(new Enqueue(
                    expiring("m", over ? NOW : NOW + 1),
                    List.of(new QueueRecipient(PUMP, generation, QoS.AT_LEAST_ONCE, false, List.of()))));
            if (!over) {
                expected.add(i + " m");
            }
        }

        assertThat(texts(page(PUMP, session, 1))).isEqualTo(expected);
        assertThat(texts(page(PUMP, session, 3)).getFirst()).isEqualTo("4 m");
        assertThat(texts(page(PUMP, session, 31)).getFirst()).isEqualTo("31 m");
        acknowledge(PUMP, generation, 33);
        assertThat(texts(page(PUMP, session, 1))).isEqualTo(expected.subList(22, expected.size()));
    }

    @Test
    void onlyTheOwnerReads() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        Registration next = connect(PUMP, session.generation(), OTHER_NODE);

        QueuePage nothing = QueuePage.rejected(Ownership.FENCED);
        assertThat(page(PUMP, session, 1)).as("an old epoch").isEqualTo(nothing);
        assertThat(texts(page(PUMP, next, 1))).containsExactly("1 a");
        assertThat(await(queues().page(BUCKET, PUMP, next.generation() - 1, next.epoch(), 1, 10, 1_000)))
                .as("another generation")
                .isEqualTo(nothing);
        disconnect(PUMP, next.epoch(), 0);
        assertThat(page(PUMP, next, 1)).as("after the disconnect").isEqualTo(nothing);
        assertThat(await(queues().page(BUCKET, VALVE, 1, 1, 1, 10, 1_000)))
                .as("an unknown session")
                .isEqualTo(QueuePage.rejected(Ownership.UNKNOWN));
        assertThat(await(queues().page(BUCKET, PUMP, next.generation(), next.epoch() + 1, 1, 10, 1_000)))
                .as("a later connection whose registration was lost")
                .isEqualTo(QueuePage.rejected(Ownership.UNKNOWN));
        assertThat(await(queues().page(BUCKET, PUMP, next.generation() + 1, next.epoch(), 1, 10, 1_000)))
                .as("a later session whose registration was lost")
                .isEqualTo(QueuePage.rejected(Ownership.UNKNOWN));
    }

    @Test
    void aViewShowsTheSizeAndTheFirstMessagesWithoutOwningTheSession() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a", "b", "c", "d");
        acknowledge(PUMP, generation, 1);
        done(new OutboundReceived(PUMP, generation, 2));
        disconnect(PUMP, session.epoch(), 3);

        QueueView view = await(queues().view(BUCKET, PUMP, generation, 0, 2, Integer.MAX_VALUE));

        assertThat(texts(view.entries())).containsExactly("2 b received", "3 c");
        assertThat(List.of(view.head(), view.tail())).containsExactly(2L, 4L);
        assertThat(view.messages()).isEqualTo(3);
        assertThat(view.bytes()).isPositive();
        assertThat(texts(await(queues().view(BUCKET, PUMP, generation, 3, 100, 1))
                        .entries()))
                .as("at least one")
                .containsExactly("3 c");
        assertThat(await(queues().view(BUCKET, PUMP, generation, 0, 0, 1)).entries())
                .isEmpty();
        assertThat(await(queues().view(BUCKET, PUMP, generation + 1, 0, 9, 9))).isEqualTo(QueueView.UNKNOWN);
        assertThat(await(queues().view(BUCKET, VALVE, 1, 0, 9, 9))).isEqualTo(QueueView.UNKNOWN);
        assertThat(waiting(PUMP, generation)).containsExactly("2 b received", "3 c", "4 d");
    }

    @Test
    void aClearedQueueIsEmptyAlsoWhenTheLogIsAppliedAgainToAnEmptyStore() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        BucketBatch before = next(to(PUMP, generation, "a"), to(VALVE, generation, "other"), to(PUMP, generation, "b"));
        BucketBatch clear = next(new Cleared(PUMP, generation), to(PUMP, generation, "c"));
        done(before, ROOMY);
        acknowledge(PUMP, generation, 1);

        assertThat(done(clear, ROOMY).cleared()).isOne();
        assertThat(done(clear, ROOMY).cleared()).as("applied again").isZero();

        assertThat(waiting(PUMP, generation)).containsExactly("3 c");
        assertThat(waiting(VALVE, generation)).containsExactly("1 other");
        QueueView view = await(queues().view(BUCKET, PUMP, generation, 0, 9, 9));
        assertThat(List.of(view.messages(), view.entries().size())).containsExactly(1, 1);
        store().loseEverything();
        done(before, ROOMY);
        assertThat(done(clear, ROOMY).cleared())
                .as("of a queue without acknowledgements")
                .isEqualTo(2);
        assertThat(waiting(PUMP, generation)).containsExactly("3 c");
        assertThat(waiting(VALVE, generation)).containsExactly("1 other");
    }

    @Test
    void messagesOfTheSameBatchAreClearedAndThoseOfALaterSessionAreNot() {
        long generation = connect(PUMP, NEW, NODE).generation();
        BucketApplied.Done done = done(
                to(PUMP, generation, "a"),
                new Cleared(PUMP, generation),
                to(PUMP, generation, "b"),
                new Cleared(PUMP, generation - 1));

        assertThat(done.cleared()).isOne();
        assertThat(waiting(PUMP, generation)).containsExactly("2 b");
    }

    @Test
    void tailsNameTheEndsOfEachQueueInTheOrderOfTheSessions() {
        Registration pump = connect(PUMP, NEW, NODE);
        Registration valve = connect(VALVE, NEW, OTHER_NODE);
        enqueue(PUMP, pump.generation(), "a", "b", "c");
        acknowledge(PUMP, pump.generation(), 1);

        assertThat(await(queues().tails(
                                BUCKET,
                                List.of(
                                        new SessionKey(VALVE, valve.generation()),
                                        new SessionKey(new ClientId("nobody"), 7),
                                        new SessionKey(PUMP, pump.generation() + 1),
                                        new SessionKey(PUMP, pump.generation())))))
                .containsExactly(new QueueEnds(1, 0), QueueEnds.UNKNOWN, QueueEnds.UNKNOWN, new QueueEnds(2, 3));
        acknowledge(PUMP, pump.generation(), 3);
        assertThat(await(queues().tails(BUCKET, List.of(new SessionKey(PUMP, pump.generation())))))
                .as("an empty queue")
                .containsExactly(new QueueEnds(4, 3));
        assertThat(await(queues().tails(BUCKET, List.of()))).isEmpty();
    }

    @Test
    void tailsOfMoreSessionsThanOneCallNamesStayInOrder() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a", "b");
        List<SessionKey> many = new ArrayList<>();
        for (int i = 0; i < 2_500; i++) {
            many.add(i % 1_200 == 7 ? new SessionKey(PUMP, session.generation()) : new SessionKey(VALVE, i));
        }

        List<QueueEnds> ends = await(queues().tails(BUCKET, many));

        assertThat(ends).hasSize(2_500);
        for (int i = 0; i < ends.size(); i++) {
            assertThat(ends.get(i)).isEqualTo(i % 1_200 == 7 ? new QueueEnds(1, 2) : QueueEnds.UNKNOWN);
        }
    }

    private QueuePage page(Registration session, long from, int maximumMessages, int maximumBytes) {
        return await(queues().page(
                        BUCKET, PUMP, session.generation(), session.epoch(), from, maximumMessages, maximumBytes));
    }
}
