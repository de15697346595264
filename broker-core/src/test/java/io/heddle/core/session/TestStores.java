package io.heddle.core.session;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.Progress;
import io.heddle.core.delivery.application.ProgressKey;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.testkit.InMemoryApplicationLogs;
import io.heddle.core.testkit.InMemoryBucketLog;
import io.heddle.core.testkit.InMemoryChangeLog;
import io.heddle.core.testkit.InMemoryDeviceQueues;
import java.util.function.LongSupplier;

/** What outlives a node: logs and queues in memory. One node at a time works with them. */
final class TestStores {
    static final int BUCKETS = 2;

    final InMemoryBucketLog bucketLog = new InMemoryBucketLog(BUCKETS);
    final InMemoryDeviceQueues queues = new InMemoryDeviceQueues(() -> nowMillis() * 1_000);
    final UnreliableRegistry registry = new UnreliableRegistry(queues);
    final InMemoryChangeLog<ClientId, SessionRecord> sessionLog = new InMemoryChangeLog<>();
    final InMemoryChangeLog<RouteKey, Route> routeLog = new InMemoryChangeLog<>();
    final InMemoryApplicationLogs applicationLogs = new InMemoryApplicationLogs();
    final InMemoryChangeLog<ProgressKey, Progress> progressLog = new InMemoryChangeLog<>();
    private LongSupplier clock = () -> 1_000_000_000L;
    private int nodes;

    private long nowMillis() {
        return clock.getAsLong();
    }

    /** The time of day at which a node starts now: when the last one was killed. */
    long startedMillis() {
        return nowMillis();
    }

    /** The time of day goes on with this node. */
    void clock(LongSupplier millis) {
        clock = millis;
    }

    String newIncarnation() {
        nodes++;
        return "node-" + nodes;
    }
}
