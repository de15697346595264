package io.heddle.persistence.redis;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.device.DeviceQueues.PushedUpTo;
import io.heddle.core.delivery.device.DeviceQueues.QueueBounds;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.lettuce.core.ScriptOutputType;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/**
 * Measures the CPU time of Redis for a queued and an acknowledged message: {@code main} prints it for each Redis of this machine, system calls
 * included, with an append-only file. Each batch is a message of 62 bytes for each of 100 clients, of 10,000.
 */
final class RedisQueueCost {
    private static final int CLIENTS = 10_000;
    private static final int BATCH = 100;
    private static final int ROUNDS = 2_000;
    private static final int REPETITIONS = 6;
    private static final int PAYLOAD_BYTES = 62;
    private static final long GENERATION = 1_700_000_000_000_000L;
    private static final QueueBounds BOUNDS = new QueueBounds(1_000, 1 << 20, true, 20);

    private final RedisServer server;
    private final RedisDeviceQueues queues;
    private final List<ClientId> clients = new ArrayList<>();
    private final long[] acknowledgedUpTo = new long[CLIENTS];
    private long offset;

    private RedisQueueCost(RedisUnderTest redis) {
        server = redis.server();
        queues = new RedisDeviceQueues(redis.buckets());
        server.commands().flushall();
        // A rewrite of the append-only file would distort the measurement by the size of the data.
        server.commands().configSet("auto-aof-rewrite-percentage", "0");
        for (int i = 0; i < CLIENTS; i++) {
            clients.add(new ClientId("device-" + i));
        }
    }

    /** Prints one line for each Redis that is not a cluster. */
    public static void main(String[] arguments) {
        for (RedisUnderTest redis : RedisUnderTest.all()) {
            if (!redis.toString().contains("cluster")) {
                new RedisQueueCost(redis).measure(redis.toString());
            }
        }
    }

    /** Returns the minimum of several repetitions, because other load only adds to the time. */
    private void measure(String name) {
        double bare = Double.MAX_VALUE;
        double both = Double.MAX_VALUE;
        double queued = Double.MAX_VALUE;
        double acknowledged = Double.MAX_VALUE;
        for (int i = 0; i < REPETITIONS; i++) {
            bare = Math.min(bare, cpuMicros(this::pushBare));
            both = Math.min(both, cpuMicros(() -> round(true, true)));
            queued = Math.min(queued, cpuMicros(() -> round(true, false)));
            acknowledged = Math.min(acknowledged, cpuMicros(() -> round(false, true)));
        }
        System.out.printf(
                Locale.ROOT,
                "%s: %.2f us of CPU per message that is queued behind others, %.2f per one acknowledged before others, %.2f for both"
                        + " when the queue is empty before and after; a bare RPUSH in a script %.2f%n",
                name,
                queued,
                acknowledged,
                both,
                bare);
    }

    /** The baseline: the minimum work of a script that queues a message. */
    private void pushBare() {
        String script = "for i = 1, #ARGV do redis.call('RPUSH', KEYS[1] .. i, ARGV[i]) end";
        byte[][] entries = new byte[BATCH][2 * PAYLOAD_BYTES];
        for (int i = 0; i < ROUNDS; i++) {
            byte[][] key = {("{bare}" + i % (CLIENTS / BATCH) + ".").getBytes(StandardCharsets.US_ASCII)};
            server.binaryCommands()
                    .eval(script, ScriptOutputType.STATUS, key, entries)
                    .toCompletableFuture()
                    .join();
        }
    }

    /** Applies batches one after the other and acknowledges entries at once, or round by round in the same order. */
    private void round(boolean queue, boolean acknowledge) {
        for (int i = 0; i < ROUNDS; i++) {
            int first = i * BATCH % CLIENTS;
            List<ClientId> chosen = clients.subList(first, first + BATCH);
            if (queue) {
                queue(chosen);
            }
            if (acknowledge) {
                long viewId = queues.position(0).toCompletableFuture().join().viewId();
                List<Acknowledgement> all = new ArrayList<>();
                for (int client = first; client < first + BATCH; client++) {
                    all.add(new Acknowledgement(clients.get(client), GENERATION, viewId, ++acknowledgedUpTo[client]));
                }
                queues.acknowledge(0, all).toCompletableFuture().join();
            }
        }
    }

    private void queue(List<ClientId> chosen) {
        List<BucketBatch.Logged> commands = new ArrayList<>();
        long preceding = offset == 0 ? BucketBatch.NOTHING : offset;
        for (ClientId each : chosen) {
            PublishMessage message = new PublishMessage(
                    new ClientId("publisher-7"),
                    TopicName.parse("plant/7/" + each, 8),
                    QoS.AT_LEAST_ONCE,
                    false,
                    PublishProperties.NONE,
                    BinaryData.wrap(new byte[PAYLOAD_BYTES]),
                    PublishMessage.NEVER_EXPIRES);
            commands.add(new BucketBatch.Logged(
                    ++offset,
                    new Enqueue(
                            message,
                            List.of(new QueueRecipient(each, GENERATION, QoS.AT_LEAST_ONCE, false, List.of())))));
        }
        queues.apply(new BucketBatch(0, preceding, commands), BOUNDS, (_, _) -> PushedUpTo.NOTHING, 0)
                .toCompletableFuture()
                .join();
    }

    private double cpuMicros(Runnable work) {
        double before = cpuSeconds();
        work.run();
        return (cpuSeconds() - before) * 1e6 / (ROUNDS * BATCH);
    }

    private double cpuSeconds() {
        return server.commands()
                .info("cpu")
                .lines()
                .map(String::strip)
                .filter(line -> line.startsWith("used_cpu_sys:") || line.startsWith("used_cpu_user:"))
                .mapToDouble(line -> Double.parseDouble(line.substring(line.indexOf(':') + 1)))
                .sum();
    }
}
