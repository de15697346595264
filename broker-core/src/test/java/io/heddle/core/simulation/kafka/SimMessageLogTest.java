package io.heddle.core.simulation.kafka;

import io.heddle.core.delivery.bucket.BucketPositions;
import io.heddle.core.delivery.log.BucketCommand;
import io.heddle.core.delivery.log.LogAppend.ToDeadLetters;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.testkit.MessageLogContract;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;

final class SimMessageLogTest extends MessageLogContract {
    private final DrivenKafka kafka = new DrivenKafka(BUCKETS);
    private final MessageLog log = kafka.port(MessageLog.class, kafka.client().messages(kafka.positions()));

    @AfterEach
    void close() {
        kafka.close();
    }

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
    protected @Nullable PublishMessage retained(TopicName topic) {
        Map<TopicName, @Nullable PublishMessage> last = new HashMap<>();
        return kafka.<Map<TopicName, @Nullable PublishMessage>>locked(() -> {
                    kafka.client().retained().replay(last::put, (_, _) -> {});
                    return last;
                })
                .get(topic);
    }

    @Override
    protected List<ClientChange> clientChanges() {
        return kafka.<List<ClientChange>>locked(() -> {
            List<ClientChange> changes = new ArrayList<>();
            kafka.client().clients().replay(changes::add, (_, _) -> {});
            return changes;
        });
    }

    @Override
    protected List<ToDeadLetters> deadLetters() {
        return kafka.values(SimKafka.DEAD_LETTERS, 0).stream()
                .map(ToDeadLetters.class::cast)
                .toList();
    }
}
