package io.heddle.core.simulation.kafka;

import io.heddle.core.changelog.ChangeLog;
import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientLog;
import io.heddle.core.testkit.MessageLogContract;
import io.heddle.core.testkit.RecordingFollower;
import java.util.List;
import org.junit.jupiter.api.AutoClose;

final class SimMessageLogTest extends MessageLogContract {
    @AutoClose
    private final DrivenKafka kafka = new DrivenKafka(BUCKETS);

    private final MessageLog log = kafka.port(MessageLog.class, kafka.client().messages(kafka.positions()));

    @Override
    protected MessageLog log() {
        return log;
    }

    @Override
    protected BucketPositions positions() {
        return kafka.positions();
    }

    @Override
    protected List<BucketCommand> commands(int bucket) {
        return kafka.values(SimKafka.BUCKETS, bucket).stream()
                .map(BucketCommand.class::cast)
                .toList();
    }

    @Override
    protected ChangeLog<TopicName, PublishMessage> retainedLog() {
        // A proxy of this interface is one of its generic type.
        @SuppressWarnings("unchecked")
        ChangeLog<TopicName, PublishMessage> retained =
                kafka.port(ChangeLog.class, kafka.client().retained());
        return retained;
    }

    @Override
    protected List<ClientChange> clientChanges() {
        return RecordingFollower.read(kafka.port(ClientLog.class, kafka.client().clients()));
    }

    @Override
    protected List<ToDeadLetters> deadLetters() {
        return kafka.values(SimKafka.DEAD_LETTERS, 0).stream()
                .map(ToDeadLetters.class::cast)
                .toList();
    }
}
