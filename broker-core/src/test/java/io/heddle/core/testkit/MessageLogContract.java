package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.changelog.ChangeLog.Change;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.BucketCommand.InboundReceived;
import io.heddle.core.delivery.log.BucketCommand.InboundReleased;
import io.heddle.core.delivery.log.BucketCommand.OutboundReceived;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToClients;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.LogAppend.ToRetained;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.SessionRecord;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/** The contract of {@link MessageLog}. Each test starts with empty logs of {@link #BUCKETS} buckets. */
public abstract class MessageLogContract {
    protected static final int BUCKETS = 4;

    private static final ClientId CLIENT = new ClientId("pump-1");

    /** The log under test, the same throughout a test. */
    protected abstract MessageLog log();

    /** The positions that the log updates. */
    protected abstract BucketPositions positions();

    /** Reads all commands of a bucket's log. */
    protected abstract List<BucketCommand> commands(int bucket);

    /** The log of the retained messages that the log under test commits. */
    protected abstract ChangeLog<TopicName, PublishMessage> retainedLog();

    private List<RecordingFollower.Followed<Change<TopicName, PublishMessage>>> retainedRecords() {
        RecordingFollower<Change<TopicName, PublishMessage>> follower = new RecordingFollower<>();
        ChangeLog<TopicName, PublishMessage> retained = retainedLog();
        retained.follow(follower);
        follower.awaitEnds(retained::ends);
        return follower.followed();
    }

    private @Nullable PublishMessage retained(TopicName topic) {
        PublishMessage last = null;
        for (RecordingFollower.Followed<Change<TopicName, PublishMessage>> each : retainedRecords()) {
            if (each.record().key().equals(topic)) {
                last = each.record().value();
            }
        }
        return last;
    }

    /** Reads all changes of the log of clients. */
    protected abstract List<ClientChange> clientChanges();

    /** Reads all dead letters. */
    protected abstract List<ToDeadLetters> deadLetters();

    @Test
    void aChangeOfTheLogOfClientsIsCommittedWithItsMessages() throws Exception {
        ClientChange change =
                new ClientChange.OfSession(CLIENT, new SessionRecord(7, ClientType.DEVICE, null, 3_600, "", 8, 1_000));
        OrderFence broken = new OrderFence();
        broken.breakOff();
        RecordingOutcome refused = new RecordingOutcome();
        log().commit(List.of(new ToBucket(1, enqueue("no")), new ToClients(2, change)), broken, refused);
        assertThat(refused.await()).isNotNull();
        assertThat(clientChanges()).isEmpty();

        RecordingOutcome outcome = new RecordingOutcome();
        log().commit(List.of(new ToBucket(1, enqueue("yes")), new ToClients(2, change)), new OrderFence(), outcome);

        assertThat(outcome.await()).isNull();
        assertThat(commands(1)).containsExactly(enqueue("yes"));
        assertThat(clientChanges()).containsExactly(change);
    }

    @Test
    void anAppendIsReadableWhenItsCallbackIsCalled() throws Exception {
        List<BucketCommand> all = List.of(
                enqueue("1"),
                new OutboundReceived(CLIENT, 7, 12),
                new InboundReceived(CLIENT, 7, 65_535, PublishMessages.NAME),
                new InboundReleased(CLIENT, 7, 65_535));
        assertThat(log().accepts(1_000)).isTrue();
        assertThat(log().publisherShare()).isPositive();

        for (BucketCommand command : all) {
            appended(List.of(new ToBucket(1, command)));
        }

        assertThat(commands(1)).isEqualTo(all);
        assertThat(commands(0)).isEmpty();
    }

    @Test
    void severalAppendsHaveOneCallback() throws Exception {
        PublishMessage message = message("a");
        appended(List.of(
                new ToBucket(0, enqueue("a")),
                new ToBucket(1, enqueue("a")),
                new ToBucket(3, enqueue("a")),
                new ToRetained(message.topic(), message)));

        assertThat(commands(0)).containsExactly(enqueue("a"));
        assertThat(commands(1)).containsExactly(enqueue("a"));
        assertThat(commands(3)).containsExactly(enqueue("a"));
        assertThat(retained(message.topic())).isEqualTo(message);
    }

    @Test
    void aDeadLetterIsReadableWhenItsCallbackIsCalled() throws Exception {
        ToDeadLetters dead = new ToDeadLetters(1, 41, enqueue("poison"), "WRONGTYPE");
        appended(List.of(dead));

        assertThat(deadLetters()).containsExactly(dead);
    }

    @Test
    void aCommitReportsTheOffsetOfItsRetainedMessage() throws Exception {
        TopicName topic = message("").topic();
        List<Long> offsets = new ArrayList<>();
        for (PublishMessage value : Arrays.asList(message("1"), message("2"), null)) {
            RecordingOutcome outcome = new RecordingOutcome();
            log().commit(
                            List.of(new ToBucket(0, enqueue("a")), new ToRetained(topic, value)),
                            new OrderFence(),
                            outcome);
            assertThat(outcome.await()).isNull();
            offsets.add(outcome.retainedOffset());
        }

        assertThat(retainedRecords())
                .extracting(RecordingFollower.Followed::offset)
                .isEqualTo(offsets);
    }

    @Test
    void aRetainedMessageIsReplacedAndRemoved() throws Exception {
        TopicName topic = message("1").topic();
        appended(List.of(new ToRetained(topic, message("1"))));
        appended(List.of(new ToRetained(topic, message("2"))));
        assertThat(retained(topic)).isEqualTo(message("2"));

        appended(List.of(new ToRetained(topic, null)));
        assertThat(retained(topic)).isNull();
    }

    @Test
    void appendsOfOneThreadToADestinationStayInOrder() throws Exception {
        List<RecordingOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 2_000; i++) {
            RecordingOutcome outcome = new RecordingOutcome();
            outcomes.add(outcome);
            log().append(List.of(new ToBucket(i % 2, enqueue("m" + i))), outcome);
        }
        for (RecordingOutcome outcome : outcomes) {
            assertThat(outcome.await()).isNull();
        }

        for (int bucket = 0; bucket < 2; bucket++) {
            int parity = bucket;
            assertThat(commands(bucket))
                    .isEqualTo(IntStream.range(0, 2_000)
                            .filter(i -> i % 2 == parity)
                            .mapToObj(i -> enqueue("m" + i))
                            .toList());
        }
    }

    @Test
    void commitsAreAtomicAndInOrder() throws Exception {
        List<RecordingOutcome> outcomes = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            RecordingOutcome outcome = new RecordingOutcome();
            outcomes.add(outcome);
            log().commit(
                            List.of(
                                    new ToBucket(0, enqueue("m" + i)),
                                    new ToBucket(1, new InboundReceived(CLIENT, 7, i + 1, PublishMessages.NAME))),
                            new OrderFence(),
                            outcome);
        }
        for (RecordingOutcome outcome : outcomes) {
            assertThat(outcome.await()).isNull();
        }

        assertThat(commands(0))
                .isEqualTo(
                        IntStream.range(0, 200).mapToObj(i -> enqueue("m" + i)).toList());
        assertThat(commands(1))
                .isEqualTo(IntStream.range(0, 200)
                        .mapToObj(i -> new InboundReceived(CLIENT, 7, i + 1, PublishMessages.NAME))
                        .toList());
    }

    @Test
    void positionsAreUpdatedBeforeTheCallbackIsCalled() throws Exception {
        assertThat(positions().appendedOffset(2)).isEqualTo(BucketBatch.NOTHING);

        appended(List.of(new ToBucket(2, enqueue("1")), new ToBucket(2, enqueue("2"))));
        assertThat(positions().appendedOffset(2)).isEqualTo(1);

        RecordingOutcome outcome = new RecordingOutcome();
        log().commit(List.of(new ToBucket(2, enqueue("3"))), new OrderFence(), outcome);
        assertThat(outcome.await()).isNull();
        assertThat(positions().appendedOffset(2)).isEqualTo(2);
        assertThat(positions().appendedOffset(1)).isEqualTo(BucketBatch.NOTHING);
    }

    @Test
    void anUnknownBucketIsRejectedAndNothingIsWritten() {
        for (int bucket : new int[] {-1, BUCKETS}) {
            List<LogAppend> appends = List.of(new ToBucket(0, enqueue("a")), new ToBucket(bucket, enqueue("a")));

            assertThatThrownBy(() -> log().append(appends, new RecordingOutcome()))
                    .isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> log().commit(appends, new OrderFence(), new RecordingOutcome()))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        assertThat(commands(0)).isEmpty();
    }

    private void appended(List<LogAppend> appends) throws InterruptedException {
        RecordingOutcome outcome = new RecordingOutcome();
        log().append(appends, outcome);
        assertThat(outcome.await()).isNull();
    }

    /** A command with this text as payload. */
    protected static BucketCommand enqueue(String payload) {
        return new Enqueue(
                message(payload),
                List.of(
                        new QueueRecipient(CLIENT, 7, QoS.AT_LEAST_ONCE, false, List.of()),
                        new QueueRecipient(
                                new ClientId("pump-2"), 8, QoS.EXACTLY_ONCE, true, List.of(1, 268_435_455))));
    }

    /** A message with this text as payload. */
    protected static PublishMessage message(String payload) {
        return new PublishMessage(
                new ClientId("sensor"),
                TopicName.parse("plant/1/temperature", 8),
                QoS.EXACTLY_ONCE,
                true,
                PublishProperties.NONE,
                BinaryData.wrap(payload.getBytes(StandardCharsets.UTF_8)),
                PublishMessage.NEVER_EXPIRES);
    }
}
