package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend.ToBucket;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class InMemoryMessageLogTest extends MessageLogContract {
    private final BucketPositions positions = UnboundedLag.positions(BUCKETS);
    private final InMemoryBucketLog buckets = new InMemoryBucketLog(BUCKETS);
    private final InMemoryClientLog clients = new InMemoryClientLog();
    private final InMemoryChangeLog<TopicName, PublishMessage> retained = new InMemoryChangeLog<>();
    private final InMemoryMessageLog fake = new InMemoryMessageLog(buckets, positions, null, retained, clients);

    @Override
    protected MessageLog log() {
        return fake;
    }

    @Override
    protected BucketPositions positions() {
        return positions;
    }

    @Override
    protected List<BucketCommand> commands(int bucket) {
        return buckets.commands(bucket);
    }

    @Override
    protected List<ClientChange> clientChanges() {
        List<ClientChange> changes = new ArrayList<>();
        changes.addAll(clients.changes());
        return changes;
    }

    @Override
    protected List<ToDeadLetters> deadLetters() {
        return fake.deadLetters();
    }

    @Override
    protected ChangeLog<TopicName, PublishMessage> retainedLog() {
        return retained;
    }

    @Test
    void heldAppendsAreWrittenInOrderOnRelease() {
        RecordingOutcome first = new RecordingOutcome();
        RecordingOutcome second = new RecordingOutcome();
        fake.hold(2);
        fake.append(List.of(new ToBucket(0, enqueue("1"))), first);
        assertThat(fake.accepts(1)).isTrue();
        fake.commit(List.of(new ToBucket(0, enqueue("2"))), new OrderFence(), second);
        assertThat(fake.accepts(1)).isFalse();
        assertThat(first.isDone() || second.isDone()).isFalse();
        assertThat(commands(0)).isEmpty();

        fake.release();

        assertThat(commands(0)).containsExactly(enqueue("1"), enqueue("2"));
        assertThat(first.isDone() && second.isDone()).isTrue();
    }

    @Test
    void aFaultIsReported() throws Exception {
        RecordingOutcome outcome = new RecordingOutcome();
        IllegalStateException fault = new IllegalStateException("too large");
        fake.failWith(fault);

        fake.append(List.of(new ToBucket(0, enqueue("1"))), outcome);

        assertThat(outcome.await()).isSameAs(fault);
        assertThat(commands(0)).isEmpty();
    }

    @Test
    void commitsBehindAFailedOneOfTheSameOrderFail() throws Exception {
        OrderFence order = new OrderFence();
        RecordingOutcome first = new RecordingOutcome();
        RecordingOutcome second = new RecordingOutcome();
        RecordingOutcome other = new RecordingOutcome();
        fake.failNextWith(new IllegalStateException("aborted"));

        fake.commit(List.of(new ToBucket(0, enqueue("1"))), order, first);
        fake.commit(List.of(new ToBucket(0, enqueue("2"))), order, second);
        fake.commit(List.of(new ToBucket(0, enqueue("3"))), new OrderFence(), other);

        assertThat(first.await()).isNotNull();
        assertThat(second.await()).isNotNull();
        assertThat(other.await()).isNull();
        assertThat(commands(0)).containsExactly(enqueue("3"));
    }
}
