package io.heddle.persistence.redis;

import io.heddle.core.operator.store.QueueServers;
import io.heddle.core.testkit.QueueServersContract;
import io.heddle.persistence.TestSettings;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import org.junit.jupiter.api.AutoClose;

final class RedisQueueServersIT extends QueueServersContract {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    @AutoClose
    private final RedisServer server = RedisServer.open(
            TestSettings.redis(TestServers.shared().redisUrl(), PATIENCE, PATIENCE), new SimpleMeterRegistry());

    @Override
    protected QueueServers servers() {
        return new RedisQueueServers(() -> server);
    }
}
