package io.heddle.persistence.redis;

import io.heddle.core.testkit.BucketStore;
import io.heddle.core.testkit.DeviceQueuesContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.heddle.persistence.redis.RedisUnderTest#all")
class RedisDeviceQueuesIT extends DeviceQueuesContract {
    private final BucketStore store;

    RedisDeviceQueuesIT(RedisUnderTest redis) {
        store = new RedisBucketStore(redis);
    }

    @BeforeEach
    void begin() {
        store.loseEverything();
    }

    @Override
    protected BucketStore store() {
        return store;
    }
}
