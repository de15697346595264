package io.heddle.persistence.redis;

import io.heddle.core.delivery.device.DeviceQueues;
import io.heddle.core.session.SessionRegistry;
import io.heddle.core.testkit.DeviceQueuesContract;
import java.time.InstantSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

@ParameterizedClass
@MethodSource("io.heddle.persistence.redis.RedisUnderTest#all")
class RedisDeviceQueuesIT extends DeviceQueuesContract {
    private final RedisUnderTest redis;
    private final DeviceQueues queues;
    private final SessionRegistry registry;

    RedisDeviceQueuesIT(RedisUnderTest redis) {
        this.redis = redis;
        this.queues = new RedisDeviceQueues(redis.buckets());
        this.registry = new RedisSessionRegistry(redis.buckets());
    }

    @BeforeEach
    void begin() {
        loseEverything();
    }

    @Override
    protected DeviceQueues queues() {
        return queues;
    }

    @Override
    protected SessionRegistry registry() {
        return registry;
    }

    @Override
    protected void losePosition() {
        await(redis.server().binaryCommands().del(redis.buckets().keys().bucket(BUCKET)));
    }

    @Override
    protected void loseEverything() {
        redis.server().commands().flushall();
    }

    @Override
    protected long storeMicros() {
        return InstantSource.system().millis() * 1_000;
    }
}
