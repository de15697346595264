package io.heddle.core.testkit;

import static io.heddle.core.testkit.PublishMessages.expiring;
import static io.heddle.core.testkit.PublishMessages.message;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.MessageName;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketApplied.EnqueueOutcome;
import io.heddle.core.delivery.device.BucketApplied.EnqueueResult;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.BucketPosition;
import io.heddle.core.delivery.device.QueuePage;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.Test;

/** The contract of {@link DeviceQueues}, together with the contracts that it inherits. Each test starts with an empty store. */
public abstract class DeviceQueuesContract extends QueuePageContract {
    private static final MessageName NEXT_NAME = new MessageName(PublishMessages.NAME.node(), 0, 1);

    @Test
    void anUnknownBucketHasNothingAppliedAndANewViewId() {
        BucketPosition position = await(queues().position(BUCKET));

        assertThat(position.appliedOffset()).isEqualTo(BucketBatch.NOTHING);
        assertThat(await(queues().position(BUCKET))).isEqualTo(position);
        assertThat(await(queues().position(BUCKET + 1)).viewId()).isNotEqualTo(position.viewId());
    }

    @Test
    void thePositionIsTheOffsetOfTheLastAppliedCommand() {
        BucketPosition before = await(queues().position(BUCKET));
        BucketBatch batch = next(to(PUMP, GENERATION, "a"), to(PUMP, GENERATION, "b"));
        BucketApplied applied = apply(batch, ROOMY);

        assertThat(applied.position()).isEqualTo(new BucketPosition(before.viewId(), batch.lastOffset()));
        assertThat(await(queues().position(BUCKET))).isEqualTo(applied.position());
        assertThat(await(queues().position(BUCKET + 1)).appliedOffset()).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void theQueueOfEachRecipientAssignsTheNextSequenceNumber() {
        enqueue(PUMP, GENERATION, "a");
        BucketApplied.Done done = done(
                new Enqueue(message("b"), List.of(recipient(VALVE, 7), recipient(PUMP, GENERATION))),
                to(PUMP, GENERATION, "c"));

        assertThat(done.results())
                .containsExactly(
                        new EnqueueResult(EnqueueOutcome.QUEUED, 1, 0),
                        new EnqueueResult(EnqueueOutcome.QUEUED, 2, 0),
                        new EnqueueResult(EnqueueOutcome.QUEUED, 3, 0));
        assertThat(done.dropped()).isZero();
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b", "3 c");
        assertThat(waiting(VALVE, 7)).containsExactly("1 b");
    }

    @Test
    void queuedMessagesAreReadUnchanged() {
        PublishMessage message = new PublishMessage(
                new ClientId("sensor é"),
                TopicName.parse("plant/é", 8),
                QoS.EXACTLY_ONCE,
                true,
                new PublishProperties(
                        60,
                        true,
                        "text/plain",
                        TopicName.parse("answers", 8),
                        BinaryData.wrap(new byte[] {0, -1}),
                        List.of(new UserProperty("unit", "°C"))),
                BinaryData.wrap(new byte[] {0, 13, 10, -128}),
                NOW + 60_000);
        done(new Enqueue(
                message,
                List.of(new QueueRecipient(PUMP, GENERATION, QoS.EXACTLY_ONCE, true, List.of(1, 268_435_455)))));

        assertThat(page(PUMP, connect(PUMP, GENERATION, NODE), 1).entries())
                .containsExactly(
                        new QueuePage.Entry(1, message, QoS.EXACTLY_ONCE, true, List.of(1, 268_435_455), false));
    }

    @Test
    void anEntryHasTheSharedSubscriptionThatSelectedItsClient() {
        PublishMessage message = expiring("m", NOW + 60_000);
        done(new Enqueue(
                message,
                List.of(new QueueRecipient(PUMP, GENERATION, QoS.AT_LEAST_ONCE, false, List.of(7), "$share/g/t/+"))));

        assertThat(page(PUMP, connect(PUMP, GENERATION, NODE), 1).entries())
                .containsExactly(
                        new QueuePage.Entry(1, message, QoS.AT_LEAST_ONCE, false, List.of(7), false, "$share/g/t/+"));
    }

    @Test
    void anEnqueueResultHasTheEpochOfTheConnection() {
        Registration session = connect(PUMP, NEW, NODE);
        assertThat(enqueue(PUMP, session.generation(), "a"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 1, session.epoch()));

        disconnect(PUMP, session.epoch(), 1);
        assertThat(enqueue(PUMP, session.generation(), "b"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 2, 0));
    }

    @Test
    void applyingABatchTwiceChangesNothing() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        BucketBatch batch = next(to(PUMP, generation, "a"), to(PUMP, generation, "b"), to(VALVE, GENERATION, "c"));
        BucketApplied.Done first = done(batch, ROOMY);
        acknowledge(PUMP, generation, 1);
        BucketApplied.Done again = done(batch, ROOMY);

        assertThat(again.position()).isEqualTo(first.position());
        assertThat(again.dropped()).isZero();
        assertThat(again.results())
                .as("the tails and the epochs of the connections")
                .containsExactly(
                        new EnqueueResult(EnqueueOutcome.APPLIED_BEFORE, 2, session.epoch()),
                        new EnqueueResult(EnqueueOutcome.APPLIED_BEFORE, 2, session.epoch()),
                        new EnqueueResult(EnqueueOutcome.APPLIED_BEFORE, 1, 0));
        assertThat(texts(page(PUMP, session, 1))).containsExactly("2 b");
        assertThat(enqueue(PUMP, generation, "d"))
                .extracting(EnqueueResult::sequence)
                .containsExactly(3L);
    }

    @Test
    void onlyTheUnappliedPartOfABatchIsApplied() {
        BucketCommand a = to(PUMP, GENERATION, "a");
        BucketCommand b = to(PUMP, GENERATION, "b");
        BucketBatch whole = next(a, b, to(PUMP, GENERATION, "c"));
        done(new BucketBatch(BUCKET, whole.precedingOffset(), whole.commands().subList(0, 2)), ROOMY);

        assertThat(done(whole, ROOMY).results())
                .extracting(EnqueueResult::outcome)
                .containsExactly(EnqueueOutcome.APPLIED_BEFORE, EnqueueOutcome.APPLIED_BEFORE, EnqueueOutcome.QUEUED);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b", "3 c");
    }

    @Test
    void aGapIsRejectedAndChangesNothing() {
        enqueue(PUMP, GENERATION, "a");
        BucketPosition before = await(queues().position(BUCKET));
        next(to(PUMP, GENERATION, "never applied"));

        assertThat(apply(next(to(PUMP, GENERATION, "c")), ROOMY)).isEqualTo(new BucketApplied.Gap(before));
        assertThat(await(queues().position(BUCKET))).isEqualTo(before);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a");
    }

    @Test
    void anUnknownBucketAcceptsOnlyTheBeginningOfTheLog() {
        next(to(PUMP, GENERATION, "applied elsewhere"));
        BucketApplied applied = apply(next(to(PUMP, GENERATION, "b")), ROOMY);

        assertThat(applied).isEqualTo(new BucketApplied.Gap(await(queues().position(BUCKET))));
        assertThat(applied.position().appliedOffset()).isEqualTo(BucketBatch.NOTHING);
        assertThat(connect(PUMP, GENERATION, NODE).tail()).isZero();
    }

    @Test
    void aReplayAfterALossAssignsTheSameSequenceNumbers() {
        BucketBatch first = next(to(PUMP, GENERATION, "a"), new Enqueue(expiring("b", NOW), oneRecipient()));
        BucketBatch second = next(to(PUMP, GENERATION, "c"), new OutboundReceived(PUMP, GENERATION, 1));
        done(first, ROOMY);
        List<EnqueueResult> before = done(second, ROOMY).results();
        BucketPosition position = await(queues().position(BUCKET));

        store().loseEverything();

        BucketApplied lost = apply(second, ROOMY);
        assertThat(lost).isInstanceOf(BucketApplied.Gap.class);
        assertThat(lost.position().viewId()).isNotEqualTo(position.viewId());
        assertThat(lost.position().appliedOffset()).isEqualTo(BucketBatch.NOTHING);
        done(first, ROOMY);
        assertThat(done(second, ROOMY).results()).isEqualTo(before);
        assertThat(await(queues().position(BUCKET)).appliedOffset()).isEqualTo(position.appliedOffset());
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a received", "3 c");
    }

    @Test
    void aReplayAfterTheLossOfThePositionDuplicatesNothing() {
        BucketBatch batch = next(
                to(PUMP, GENERATION, "a"),
                to(PUMP, GENERATION, "b"),
                new InboundReceived(PUMP, GENERATION, 9, PublishMessages.NAME));
        BucketPosition position = done(batch, ROOMY).position();

        store().losePosition(BUCKET);

        BucketApplied.Done again = done(batch, ROOMY);
        assertThat(again.position().viewId()).isNotEqualTo(position.viewId());
        assertThat(again.position().appliedOffset()).isEqualTo(position.appliedOffset());
        assertThat(again.results())
                .containsExactly(
                        new EnqueueResult(EnqueueOutcome.APPLIED_BEFORE, 2, 0),
                        new EnqueueResult(EnqueueOutcome.APPLIED_BEFORE, 2, 0));
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b");
    }

    @Test
    void anExpiredMessageTakesASequenceNumberAndIsNotQueued() {
        BucketApplied.Done done = done(
                new Enqueue(expiring("over", NOW), oneRecipient()),
                new Enqueue(expiring("just not", NOW + 1), oneRecipient()),
                new Enqueue(expiring("over", 1), oneRecipient()));

        assertThat(done.results())
                .containsExactly(
                        new EnqueueResult(EnqueueOutcome.EXPIRED, 1, 0),
                        new EnqueueResult(EnqueueOutcome.QUEUED, 2, 0),
                        new EnqueueResult(EnqueueOutcome.EXPIRED, 3, 0));
        Registration session = connect(PUMP, GENERATION, NODE);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("2 just not");
        assertThat(session.head()).isEqualTo(2);
        assertThat(session.tail()).isEqualTo(3);
    }

    @Test
    void aMessageForAnEndedSessionIsSkipped() {
        enqueue(PUMP, GENERATION + 1, "a");

        assertThat(enqueue(PUMP, GENERATION, "for the old one"))
                .containsExactly(new EnqueueResult(EnqueueOutcome.SESSION_ENDED, 0, 0));
        assertThat(waiting(PUMP, GENERATION + 1)).containsExactly("1 a");
    }

    @Test
    void aMessageForALaterSessionEndsTheEarlierOne() {
        Registration old = connect(PUMP, NEW, NODE);
        long later = old.generation() + 1_000_000;
        enqueue(PUMP, old.generation(), "a", "b");
        done(
                new OutboundReceived(PUMP, old.generation(), 1),
                new InboundReceived(PUMP, old.generation(), 5, PublishMessages.NAME));

        assertThat(enqueue(PUMP, later, "c")).containsExactly(new EnqueueResult(EnqueueOutcome.QUEUED, 1, 0));
        assertThat(page(PUMP, old, 1).isOwned()).isFalse();
        Registration session = connect(PUMP, later, NODE);
        assertThat(session.inboundReceived()).isEmpty();
        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 c");
    }

    @Test
    void inboundMarkersAreKeptUntilTheyAreReleased() {
        done(
                new InboundReceived(PUMP, GENERATION, 65_535, PublishMessages.NAME),
                new InboundReceived(PUMP, GENERATION, 1, PublishMessages.NAME),
                new InboundReceived(PUMP, GENERATION, 2, NEXT_NAME),
                new InboundReceived(PUMP, GENERATION, 2, NEXT_NAME),
                new InboundReleased(PUMP, GENERATION, 1),
                new InboundReleased(PUMP, GENERATION, 7),
                new InboundReceived(PUMP, GENERATION - 1, 3, PublishMessages.NAME));

        assertThat(connect(PUMP, GENERATION, NODE).inboundReceived())
                .isEqualTo(Map.of(2, NEXT_NAME, 65_535, PublishMessages.NAME));
        done(new InboundReleased(PUMP, GENERATION, 2), new InboundReleased(PUMP, GENERATION, 65_535));
        assertThat(connect(PUMP, GENERATION, NODE).inboundReceived()).isEmpty();
    }

    @Test
    void aLargeBatchIsAppliedCompletely() {
        List<QueueRecipient> many = new ArrayList<>();
        List<ClientId> clients = new ArrayList<>();
        for (int i = 0; i < BucketCommand.MAXIMUM_RECIPIENTS; i++) {
            clients.add(new ClientId("client-" + i));
            many.add(recipient(clients.getLast(), GENERATION));
        }
        byte[] large = new byte[300_000];
        BucketBatch batch = next(
                new Enqueue(message("a"), many),
                new Enqueue(message(large), many.subList(0, 3)),
                new Enqueue(message(large), many.subList(0, 3)),
                new Enqueue(message(large), many.subList(0, 3)),
                new Enqueue(message("b"), many));
        BucketApplied.Done done = done(batch, ROOMY);

        assertThat(done.position().appliedOffset()).isEqualTo(batch.lastOffset());
        assertThat(done.results()).hasSize(2 * many.size() + 9);
        assertThat(done.results()).extracting(EnqueueResult::outcome).containsOnly(EnqueueOutcome.QUEUED);
        List<Long> tails = tails(clients);
        assertThat(tails.subList(0, 3)).containsOnly(5L);
        assertThat(tails.subList(3, tails.size())).containsOnly(2L);

        BucketPosition position = await(queues().position(BUCKET));
        next(to(PUMP, GENERATION, "never applied"));
        assertThat(apply(
                        next(batch.commands().stream()
                                .map(BucketBatch.Logged::command)
                                .toArray(BucketCommand[]::new)),
                        ROOMY))
                .isEqualTo(new BucketApplied.Gap(position));
        assertThat(tails(clients)).isEqualTo(tails);
    }

    private List<Long> tails(List<ClientId> clients) {
        return clients.stream()
                .map(clientId -> connect(clientId, GENERATION, NODE).tail())
                .toList();
    }

    @Test
    void callsAreExecutedInOrder() {
        Registration session = connect(PUMP, NEW, NODE);
        long generation = session.generation();
        List<CompletionStage<QueuePage>> pages = new ArrayList<>();
        CompletionStage<BucketApplied> last =
                queues().apply(next(to(PUMP, generation, "m")), ROOMY, (_, _) -> pushedUpTo, NOW);
        for (int i = 2; i <= 100; i++) {
            last = queues().apply(next(to(PUMP, generation, "m")), ROOMY, (_, _) -> pushedUpTo, NOW);
        }
        assertThat(await(last)).isInstanceOf(BucketApplied.Done.class);

        long viewId = session.position().viewId();
        for (int i = 1; i <= 100; i++) {
            pages.add(queues().page(BUCKET, PUMP, generation, session.epoch(), 1, 1, 1_000));
            var _ = queues().acknowledge(BUCKET, List.of(new Acknowledgement(PUMP, generation, viewId, i)));
        }
        for (int i = 1; i <= 100; i++) {
            assertThat(texts(await(pages.get(i - 1)))).containsExactly(i + " m");
        }
    }

    private static List<QueueRecipient> oneRecipient() {
        return List.of(recipient(PUMP, GENERATION));
    }
}
