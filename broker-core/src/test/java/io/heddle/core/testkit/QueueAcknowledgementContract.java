package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.device.QueuePage.Ownership;
import io.heddle.core.delivery.log.BucketCommand.Acknowledged;
import io.heddle.core.delivery.log.BucketCommand.ClientAcknowledgement;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** The contract of {@link DeviceQueues} for acknowledgements and markers. Each test starts with an empty store. */
public abstract class QueueAcknowledgementContract extends BucketContract {
    @Test
    void acknowledgedMessagesAreRemoved() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a", "b", "c");

        acknowledge(PUMP, session.generation(), 2);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("3 c");
        acknowledge(PUMP, session.generation(), 1);
        acknowledge(PUMP, session.generation(), 2);
        assertThat(texts(page(PUMP, session, 1))).as("may be repeated").containsExactly("3 c");
        acknowledge(PUMP, session.generation() - 1, 3);
        assertThat(texts(page(PUMP, session, 1))).as("of another generation").containsExactly("3 c");
        acknowledge(PUMP, session.generation(), 1_000);
        assertThat(page(PUMP, session, 1)).isEqualTo(new QueuePage(Ownership.OWNER, List.of(), 3));
        assertThat(enqueue(PUMP, session.generation(), "d"))
                .extracting(EnqueueResult::sequence)
                .containsExactly(4L);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("4 d");
    }

    private static Acknowledged logged(ClientId clientId, long generation, long upTo, SequenceRange... above) {
        return new Acknowledged(List.of(new ClientAcknowledgement(clientId, generation, upTo, List.of(above))));
    }

    private static BucketBatch complete(BucketBatch batch, long from) {
        return new BucketBatch(batch.bucket(), batch.precedingOffset(), batch.commands(), from);
    }

    /** Creates a client that has acknowledged b and c out of order and has answered d with PUBREC. */
    private BucketBatch history(long generation) {
        return next(
                to(PUMP, generation, "a"),
                to(PUMP, generation, "b"),
                to(PUMP, generation, "c"),
                to(VALVE, generation, "other"),
                to(PUMP, generation, "d"),
                to(PUMP, generation, "e"),
                new OutboundReceived(PUMP, generation, 4),
                new OutboundReceived(PUMP, generation, 5),
                logged(PUMP, generation, 0, new SequenceRange(2, 4), new SequenceRange(5, 6)),
                to(PUMP, generation, "f"));
    }

    @Test
    void aReplayAfterALossRepeatsNoMessageWithALoggedAcknowledgement() {
        BucketBatch history = history(GENERATION);
        store().loseEverything();

        BucketApplied.Done done = done(complete(history, GENERATION), ROOMY);

        assertThat(done.results()).extracting(EnqueueResult::sequence).containsExactly(1L, 2L, 3L, 1L, 4L, 5L, 6L);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "4 d received", "6 f");
        assertThat(waiting(VALVE, GENERATION)).containsExactly("1 other");
        done(logged(PUMP, GENERATION, 4));
        assertThat(waiting(PUMP, GENERATION)).containsExactly("6 f");
        done(logged(PUMP, GENERATION - 1, 6));
        assertThat(waiting(PUMP, GENERATION)).as("of another generation").containsExactly("6 f");
    }

    @Test
    void loggedAcknowledgementsOfATruncatedSessionRemoveNothing() {
        done(complete(history(GENERATION), GENERATION + 1), ROOMY);

        assertThat(waiting(PUMP, GENERATION))
                .as("its sequence numbers may belong to other messages")
                .containsExactly("1 a", "2 b", "3 c", "4 d received", "5 e received", "6 f");
    }

    @Test
    void loggedAcknowledgementsOfACompleteSessionRemoveItsMessages() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a", "b");

        done(logged(PUMP, session.generation(), 1), logged(new ClientId("nobody"), GENERATION, 5));

        assertThat(texts(page(PUMP, session, 1))).containsExactly("2 b");
        done(logged(PUMP, session.generation(), 2));
        assertThat(texts(page(PUMP, session, 1))).isEmpty();
        assertThat(enqueue(PUMP, session.generation(), "c"))
                .extracting(EnqueueResult::sequence)
                .containsExactly(3L);
    }

    @Test
    void anAcknowledgementFromBeforeALossRemovesNoMessageWithAReusedSequenceNumber() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a", "b", "c");
        store().loseEverything();
        BucketBatch rest = next(to(PUMP, session.generation(), "d"));
        done(new BucketBatch(BUCKET, BucketBatch.NOTHING, rest.commands()), ROOMY);

        acknowledge(PUMP, session.generation(), 3);
        assertThat(waiting(PUMP, session.generation())).containsExactly("1 d");

        acknowledge(PUMP, session.generation(), 1);
        assertThat(waiting(PUMP, session.generation())).isEmpty();
    }

    @Test
    void acknowledgementsOfManyClientsShareACall() {
        enqueue(PUMP, GENERATION, "a", "b", "c");
        enqueue(VALVE, GENERATION, "d", "e");

        await(queues().acknowledge(
                        BUCKET,
                        List.of(
                                new Acknowledgement(PUMP, GENERATION, viewId(), 1),
                                new Acknowledgement(VALVE, GENERATION, viewId(), 2),
                                new Acknowledgement(new ClientId("nobody"), GENERATION, viewId(), 2),
                                new Acknowledgement(PUMP, GENERATION, viewId(), 2))));
        await(queues().acknowledge(BUCKET, List.of()));

        assertThat(waiting(PUMP, GENERATION)).containsExactly("3 c");
        assertThat(waiting(VALVE, GENERATION)).isEmpty();
    }

    @Test
    void aMessageHasAMarkerFromItsPubrecToItsAcknowledgement() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a", "b", "c");
        done(new OutboundReceived(PUMP, generation, 2), new OutboundReceived(PUMP, generation, 1));

        Registration next = connect(PUMP, generation, OTHER_NODE);
        assertThat(texts(page(PUMP, next, 1))).containsExactly("1 a received", "2 b received", "3 c");
        assertThat(texts(page(PUMP, next, 2))).containsExactly("2 b received", "3 c");
        acknowledge(PUMP, generation, 1);
        assertThat(texts(page(PUMP, next, 1))).containsExactly("2 b received", "3 c");
        acknowledge(PUMP, generation, 2);
        assertThat(texts(page(PUMP, next, 1))).containsExactly("3 c");
    }

    @Test
    void aMarkerForAMissingMessageIsNotStored() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        enqueue(PUMP, generation, "a", "b");
        acknowledge(PUMP, generation, 1);
        done(
                new OutboundReceived(PUMP, generation, 1),
                new OutboundReceived(PUMP, generation, 3),
                new OutboundReceived(PUMP, generation - 1, 2));
        enqueue(PUMP, generation, "c");

        assertThat(texts(page(PUMP, session, 1))).containsExactly("2 b", "3 c");
    }

    private void acknowledge(long upTo, SequenceRange... above) {
        await(queues().acknowledge(
                        BUCKET, List.of(new Acknowledgement(PUMP, GENERATION, viewId(), upTo, List.of(above)))));
    }

    @Test
    void messagesAcknowledgedOutOfOrderAreRemoved() {
        enqueue(PUMP, GENERATION, "a", "b", "c", "d", "e", "f");

        acknowledge(1, new SequenceRange(3, 5));
        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b", "5 e", "6 f");
        acknowledge(1, new SequenceRange(3, 4), new SequenceRange(6, 7));
        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b", "5 e");
        enqueue(PUMP, GENERATION, "g");
        acknowledge(2);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("5 e", "7 g");
        acknowledge(2, new SequenceRange(5, 6), new SequenceRange(7, 9));
        assertThat(waiting(PUMP, GENERATION)).isEmpty();
        enqueue(PUMP, GENERATION, "h");
        assertThat(waiting(PUMP, GENERATION)).containsExactly("8 h");
    }

    @Test
    void rangesOfAnotherGenerationRemoveNothing() {
        enqueue(PUMP, GENERATION, "a", "b");

        await(queues().acknowledge(
                        BUCKET,
                        List.of(new Acknowledgement(
                                PUMP, GENERATION - 1, viewId(), 0, List.of(new SequenceRange(2, 3))))));

        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b");
    }

    @Test
    void removalOutOfOrderFreesRoomAndRemovesTheMarker() {
        QueueBounds three = new QueueBounds(3, 1_000_000, false, 10);
        enqueue(PUMP, GENERATION, "a", "b", "c");
        done(new OutboundReceived(PUMP, GENERATION, 3), new OutboundReceived(PUMP, GENERATION, 1));

        acknowledge(0, new SequenceRange(2, 4));

        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a received");
        assertThat(connect(PUMP, GENERATION, NODE).outboundReceived()).containsExactly(1L);
        for (String payload : List.of("d", "e")) {
            assertThat(done(next(to(PUMP, GENERATION, payload)), three).results())
                    .extracting(EnqueueResult::outcome)
                    .containsExactly(EnqueueOutcome.QUEUED);
        }
        assertThat(done(next(to(PUMP, GENERATION, "f")), three).results())
                .extracting(EnqueueResult::outcome)
                .containsExactly(EnqueueOutcome.QUEUE_FULL);
    }

    @Test
    void aMarkerForAMessageRemovedOutOfOrderIsNotStored() {
        enqueue(PUMP, GENERATION, "a", "b", "c", "d");
        acknowledge(0, new SequenceRange(2, 4));

        done(
                new OutboundReceived(PUMP, GENERATION, 2),
                new OutboundReceived(PUMP, GENERATION, 3),
                new OutboundReceived(PUMP, GENERATION, 4));

        assertThat(connect(PUMP, GENERATION, NODE).outboundReceived()).containsExactly(4L);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "4 d received");
    }

    @Test
    void anyOrderOfAcknowledgementsLeavesTheOtherMessages() {
        Random random = new Random(20_261_121);
        List<Long> left = new ArrayList<>();
        for (long round = 0; round < 20; round++) {
            for (int i = 0; i < 20; i++) {
                left.add(enqueue(PUMP, GENERATION, "m").getFirst().sequence());
            }
            List<SequenceRange> runs = new ArrayList<>();
            for (long sequence : List.copyOf(left)) {
                if (random.nextInt(3) == 0) {
                    runs.add(new SequenceRange(sequence, sequence + 1));
                    left.remove(sequence);
                }
            }
            long upTo = left.get(random.nextInt(left.size() / 4 + 1));
            left.removeIf(sequence -> sequence <= upTo);
            List<SequenceRange> above =
                    runs.stream().filter(run -> run.first() > upTo).toList();
            acknowledge(upTo, above.toArray(SequenceRange[]::new));

            assertThat(waiting(PUMP, GENERATION))
                    .containsExactlyElementsOf(
                            left.stream().map(sequence -> sequence + " m").toList());
        }
    }

    @Test
    void manyRangesOfManyClientsShareACall() {
        List<Acknowledgement> all = new ArrayList<>();
        for (int client = 0; client < 3; client++) {
            ClientId clientId = new ClientId("client-" + client);
            enqueue(
                    clientId,
                    GENERATION,
                    LongStream.rangeClosed(1, 10).mapToObj(Long::toString).toArray(String[]::new));
            List<SequenceRange> even = LongStream.rangeClosed(1, 600)
                    .mapToObj(half -> new SequenceRange(2 * half, 2 * half + 1))
                    .toList();
            all.add(new Acknowledgement(clientId, GENERATION, viewId(), 0, even));
        }

        await(queues().acknowledge(BUCKET, all));

        for (Acknowledgement each : all) {
            assertThat(waiting(each.clientId(), GENERATION)).containsExactly("1 1", "3 3", "5 5", "7 7", "9 9");
        }
    }

    @Test
    void anAcknowledgementOfALostViewRemovesNoMessageWithTheSameSequenceNumber() {
        long lostViewId = viewId();
        store().loseEverything();
        done(complete(next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b")), GENERATION + 1), ROOMY);

        await(queues().acknowledge(BUCKET, List.of(new Acknowledgement(PUMP, GENERATION, lostViewId, 2))));

        assertThat(waiting(PUMP, GENERATION))
                .as("the sequence numbers belonged to other messages")
                .containsExactly("1 a", "2 b");
        acknowledge(PUMP, GENERATION, 1);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b");
    }

    @Test
    void anAcknowledgementOfALostViewCountsForASessionWithAllItsMessagesInTheLog() {
        long lostViewId = viewId();
        store().loseEverything();
        done(complete(next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b")), GENERATION), ROOMY);

        await(queues().acknowledge(BUCKET, List.of(new Acknowledgement(PUMP, GENERATION, lostViewId, 1))));

        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b");
    }
}
