package io.heddle.core.testkit;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import java.util.ArrayList;
import java.util.List;

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
}
