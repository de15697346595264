package io.heddle.core.simulation.kafka;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.log.MessageLog;
import io.heddle.core.testkit.BucketLogContract;
import org.junit.jupiter.api.AutoClose;

final class SimBucketLogTest extends BucketLogContract {
    @AutoClose
    private final DrivenKafka kafka = new DrivenKafka(BUCKETS);

    private final BucketLog log = kafka.port(BucketLog.class, kafka.client().buckets());
    private final MessageLog messages =
            kafka.port(MessageLog.class, kafka.client().messages(kafka.positions()));

    @Override
    protected BucketLog log() {
        return log;
    }

    @Override
    protected MessageLog messages() {
        return messages;
    }
}
