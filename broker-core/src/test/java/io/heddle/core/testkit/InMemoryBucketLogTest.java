package io.heddle.core.testkit;

import io.heddle.core.delivery.bucket.BucketLog;
import io.heddle.core.delivery.log.MessageLog;

class InMemoryBucketLogTest extends BucketLogContract {
    private final InMemoryBucketLog fake = new InMemoryBucketLog(BUCKETS);
    private final MessageLog messages = new InMemoryMessageLog(fake, UnboundedLag.positions(BUCKETS));

    @Override
    protected BucketLog log() {
        return fake;
    }

    @Override
    protected MessageLog messages() {
        return messages;
    }
}
