package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** The memory of a session in the bundled Redis, measured with 10,000: all keys and their share of the tables. */
class RedisMemoryIT {
    private static final Logger log = LoggerFactory.getLogger(RedisMemoryIT.class);

    private static final int SESSIONS = 10_000;
    private static final int BATCH = 500;
    private static final int BUCKET = 1;
    private static final int MESSAGES = 10;
    private static final int PAYLOAD_BYTES = 62;
    private static final long GENERATION = 1_700_000_000_000_000L;
    private static final QueueBounds BOUNDS = new QueueBounds(1_000, 1 << 20, false, 20);

    private final RedisUnderTest redis = RedisUnderTest.bundled();
    private final RedisDeviceQueues queues = new RedisDeviceQueues(redis.buckets());
    private final RedisSessionRegistry registry = new RedisSessionRegistry(redis.buckets());
    private long offset = BucketBatch.NOTHING;

    @Test
    void anIdleSessionThatIsConnectedCostsAtMost400Bytes() {
        assertThat(bytesPerSession("connected and idle", () -> begin("heddle-1-3f2a9c51")))
                .isLessThanOrEqualTo(400);
    }

    @Test
    void anIdleSessionThatIsAwayCostsAtMost400Bytes() {
        assertThat(bytesPerSession("away and idle", () -> begin(""))).isLessThanOrEqualTo(400);
    }

    @Test
    void aSessionWithTenMessagesCostsAtMost2500Bytes() {
        assertThat(bytesPerSession("away with ten messages of 62 bytes", () -> {
                    begin("");
                    for (int i = 0; i < MESSAGES; i++) {
                        enqueueToAll();
                    }
                }))
                .isLessThanOrEqualTo(2_500);
    }

    private long bytesPerSession(String what, Runnable work) {
        redis.server().commands().flushall();
        offset = BucketBatch.NOTHING;
        long before = usedMemory();
        work.run();
        long bytes = (usedMemory() - before) / SESSIONS;
        log.info("A session that is {}: {} bytes of Redis", what, bytes);
        return bytes;
    }

    private void begin(String owner) {
        List<Known> sessions = new ArrayList<>();
        for (int i = 0; i < SESSIONS; i++) {
            sessions.add(new Known(client(i), GENERATION, GENERATION, owner));
        }
        registry.restore(BUCKET, sessions).toCompletableFuture().join();
    }

    private void enqueueToAll() {
        List<CompletableFuture<?>> answers = new ArrayList<>();
        for (int first = 0; first < SESSIONS; first += BATCH) {
            List<BucketBatch.Logged> commands = new ArrayList<>();
            long preceding = offset;
            for (int i = first; i < first + BATCH; i++) {
                PublishMessage message = new PublishMessage(
                        new ClientId("publisher-" + i % 100),
                        TopicName.parse("plant/" + i % 100 + "/commands", 8),
                        QoS.AT_LEAST_ONCE,
                        false,
                        PublishProperties.NONE,
                        BinaryData.wrap(new byte[PAYLOAD_BYTES]),
                        PublishMessage.NEVER_EXPIRES);
                QueueRecipient recipient =
                        new QueueRecipient(client(i), GENERATION, QoS.AT_LEAST_ONCE, false, List.of());
                commands.add(new BucketBatch.Logged(++offset, new Enqueue(message, List.of(recipient))));
            }
            answers.add(
                    queues.apply(new BucketBatch(BUCKET, preceding, commands), BOUNDS, (_, _) -> PushedUpTo.NOTHING, 0)
                            .toCompletableFuture());
        }
        answers.forEach(CompletableFuture::join);
    }

    private static ClientId client(int number) {
        return new ClientId("device-" + (100_000 + number));
    }

    private long usedMemory() {
        return redis.server()
                .commands()
                .info("memory")
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("used_memory:"))
                .mapToLong(line -> Long.parseLong(line.substring("used_memory:".length())))
                .sum();
    }
}
