package io.heddle.persistence.redis;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.persistent.SessionRegistry;
import io.heddle.core.testkit.BucketStore;

/** A Redis under test. */
final class RedisBucketStore implements BucketStore {
    private final RedisUnderTest redis;
    private final DeviceQueues queues;
    private final SessionRegistry registry;

    RedisBucketStore(RedisUnderTest redis) {
        this.redis = redis;
        this.queues = new RedisDeviceQueues(redis.buckets());
        this.registry = new RedisSessionRegistry(redis.buckets());
    }

    @Override
    public DeviceQueues queues() {
        return queues;
    }

    @Override
    public SessionRegistry registry() {
        return registry;
    }

    @Override
    public void losePosition(int bucket) {
        redis.server()
                .binaryCommands()
                .del(redis.buckets().keys().bucket(bucket))
                .toCompletableFuture()
                .join();
    }

    @Override
    public void loseEverything() {
        redis.server().commands().flushall();
    }
}
