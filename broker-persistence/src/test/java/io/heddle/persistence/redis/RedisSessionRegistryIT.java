package io.heddle.persistence.redis;

import io.heddle.core.testkit.BucketStore;
import io.heddle.core.testkit.SessionRegistryContract;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.heddle.persistence.redis.RedisUnderTest#all")
class RedisSessionRegistryIT extends SessionRegistryContract {
    private final BucketStore store;

    RedisSessionRegistryIT(RedisUnderTest redis) {
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
