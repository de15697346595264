package io.heddle.core.session;

import io.heddle.core.cluster.Incarnation;
import io.heddle.core.cluster.NodeRecord;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.heddle.core.testkit.InMemoryClientLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import io.heddle.core.testkit.InMemoryNodeLog;
import java.time.Instant;
import java.util.function.LongSupplier;

/** The logs and queues in memory that survive a node. One node at a time uses them. */
public final class TestStores {
    public static final int BUCKETS = 2;

    public final InMemoryBucketLog bucketLog = new InMemoryBucketLog(BUCKETS);
    public final InMemoryDeviceQueues queues = new InMemoryDeviceQueues();
    public final UnreliableRegistry registry = new UnreliableRegistry(queues);
    public final InMemoryClientLog clientLog = new InMemoryClientLog();
    public final InMemoryClientLog.Part sessionLog = clientLog.sessions;
    public final InMemoryClientLog.Part routeLog = clientLog.routes;
    public final InMemoryChangeLog<TopicName, PublishMessage> retainedLog = new InMemoryChangeLog<>();
    public final InMemoryApplicationLogs applicationLogs = new InMemoryApplicationLogs();
    public final InMemoryChangeLog<ProgressKey, Progress> progressLog = new InMemoryChangeLog<>();
    private LongSupplier clock = () -> 1_000_000_000L;
    private int nodes;

    private long nowMillis() {
        return clock.getAsLong();
    }

    /** The time of day at which a node starts now: that of the previous node's end. */
    public long startedMillis() {
        return nowMillis();
    }

    /** Takes the time of day from a node. */
    public void clock(LongSupplier millis) {
        clock = millis;
    }

    /** Returns a log of nodes for one more node, which is alone: the earlier ones have left. Its incarnation has their number. */
    InMemoryNodeLog nodeLog() {
        InMemoryNodeLog nodeLog = new InMemoryNodeLog(() -> Instant.ofEpochMilli(nowMillis()));
        for (int i = 0; i < nodes; i++) {
            nodeLog.node().append(new NodeRecord.Left(new Incarnation(i, 0)));
        }
        nodes++;
        return nodeLog;
    }
}
