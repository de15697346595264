package io.heddle.persistence.redis;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreRejectedException;
import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.device.BucketApplied;
import io.heddle.core.delivery.device.BucketBatch;
import io.heddle.core.delivery.device.DeviceQueues.Acknowledgement;
import io.heddle.core.delivery.log.BucketCommand.Enqueue;
import io.heddle.core.delivery.log.QueueRecipient;
import io.heddle.core.delivery.log.SequenceRange;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.session.persistent.SessionRegistry.Known;
import io.heddle.core.session.persistent.SessionRegistry.Registration;
import io.heddle.core.testkit.BucketContract;
import io.heddle.core.testkit.BucketStore;
import io.heddle.persistence.record.Golden;
import io.lettuce.core.RedisCommandExecutionException;
import io.lettuce.core.cluster.api.async.RedisClusterAsyncCommands;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.UUID;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.MethodSource;

/** The values in Redis, byte by byte, and the scripts' behaviour after a failed script and on unknown values. */
@ParameterizedClass
@MethodSource("io.heddle.persistence.redis.RedisUnderTest#all")
class RedisStoredIT extends BucketContract {
    private static final int BEGUN_AT = 33;

    private final RedisUnderTest redis;
    private final BucketStore store;
    private final RedisKeys keys;
    private final RedisClusterAsyncCommands<byte[], byte[]> commands;

    RedisStoredIT(RedisUnderTest redis) {
        this.redis = redis;
        this.store = new RedisBucketStore(redis);
        this.keys = redis.buckets().keys();
        this.commands = redis.server().binaryCommands();
    }

    @BeforeEach
    void forget() {
        store.loseEverything();
    }

    @Test
    void theFormatOfSessionEntryAndBucketIsStable() {
        long generation = 0x00060a24181e4000L;
        TopicName topic = TopicName.parse("plant/1/temperature", 8);
        List<QueueRecipient> recipients =
                List.of(new QueueRecipient(PUMP, generation, QoS.AT_LEAST_ONCE, false, List.of(5)));
        await(registry().restore(BUCKET, List.of(new Known(PUMP, generation, generation + 1, "n1"))));
        for (long offset = 35; offset <= 41; offset++) {
            long expiresAtMillis = offset < 41 ? NOW : PublishMessage.NEVER_EXPIRES;
            PublishMessage message = new PublishMessage(
                    new ClientId("pump-1"),
                    topic,
                    QoS.AT_LEAST_ONCE,
                    false,
                    PublishProperties.NONE,
                    BinaryData.wrap("21.5".getBytes(StandardCharsets.US_ASCII)),
                    expiresAtMillis);
            BucketBatch batch = new BucketBatch(
                    BUCKET,
                    offset == 35 ? BucketBatch.NOTHING : offset - 1,
                    List.of(new BucketBatch.Logged(offset, new Enqueue(message, recipients))));
            done(batch, ROOMY);
        }

        assertThat(Golden.hex(await(commands.get(keys.session(BUCKET, PUMP)))))
                .isEqualTo(Golden.hex(Golden.bytes("redis-session-v2")));
        assertThat(Golden.hex(await(commands.lindex(keys.queue(BUCKET, PUMP), 0))))
                .isEqualTo(Golden.hex(Golden.bytes("redis-queue-entry-v2")));
        byte[] bucket = await(commands.get(keys.bucket(BUCKET)));
        Arrays.fill(bucket, 1, 9, (byte) 0);
        assertThat(Golden.hex(bucket)).isEqualTo(Golden.hex(Golden.bytes("redis-bucket-v1")));
    }

    @Test
    void aConnectedClientWithoutMessagesHasOneKey() {
        Registration session = connect(PUMP, NEW, NODE);
        connect(PUMP, session.generation(), OTHER_NODE);

        assertThat(await(commands.keys("*")))
                .extracting(key -> new String(key, StandardCharsets.UTF_8))
                .containsExactlyInAnyOrder(
                        new String(keys.bucket(BUCKET), StandardCharsets.UTF_8),
                        new String(keys.session(BUCKET, PUMP), StandardCharsets.UTF_8));
    }

    @Test
    void anEndedSessionLeavesNoKeys() {
        Registration session = connect(PUMP, NEW, NODE);
        enqueue(PUMP, session.generation(), "a");
        await(registry().end(BUCKET, PUMP, session.generation()));

        assertThat(await(commands.keys("*")))
                .extracting(key -> new String(key, StandardCharsets.UTF_8))
                .containsExactly(new String(keys.bucket(BUCKET), StandardCharsets.UTF_8));
    }

    @Test
    void aRetriedScriptRepeatsNothingOfTheFailedOne() {
        enqueue(PUMP, GENERATION, "a");
        begin(VALVE);
        await(commands.set(keys.queue(BUCKET, VALVE), new byte[] {1}));
        BucketBatch batch = next(
                to(PUMP, GENERATION, "b"),
                to(PUMP, GENERATION, "c"),
                to(VALVE, GENERATION, "d"),
                to(PUMP, GENERATION, "e"));
        double rejected = failures("rejected");

        assertThatThrownBy(() -> apply(batch, ROOMY))
                .hasRootCauseInstanceOf(RedisCommandExecutionException.class)
                .cause()
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("rejected the call (script apply)");
        assertThat(failures("rejected")).isEqualTo(rejected + 1);
        assertThat(await(commands.llen(keys.queue(BUCKET, PUMP))))
                .as("what the script has left behind")
                .isGreaterThan(1);
        assertThat(waiting(PUMP, GENERATION)).as("is not shown").containsExactly("1 a");

        await(commands.del(keys.queue(BUCKET, VALVE)));
        done(batch, ROOMY);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b", "3 c", "4 e");
        assertThat(waiting(VALVE, GENERATION)).containsExactly("1 d");
    }

    @Test
    void aRejectedCommandTakesOnlyItsSequenceOnceItIsADeadLetter() {
        begin(VALVE);
        await(commands.set(keys.queue(BUCKET, VALVE), new byte[] {1}));
        BucketBatch poison = next(to(VALVE, GENERATION, "poison"));
        assertThatThrownBy(() -> apply(poison, ROOMY)).cause().isInstanceOf(StoreRejectedException.class);

        BucketBatch.Logged logged = poison.commands().getFirst();
        BucketApplied.Done numbered = done(
                new BucketBatch(
                        BUCKET,
                        poison.precedingOffset(),
                        List.of(new BucketBatch.Logged(logged.offset(), logged.command(), true))),
                ROOMY);

        assertThat(numbered.results())
                .extracting(BucketApplied.EnqueueResult::sequence)
                .containsExactly(1L);
        assertThat(numbered.position().appliedOffset()).isEqualTo(logged.offset());
        await(commands.del(keys.queue(BUCKET, VALVE)));
        enqueue(VALVE, GENERATION, "next");
        assertThat(waiting(VALVE, GENERATION)).containsExactly("2 next");
    }

    @Test
    void aFailedAcknowledgementRemovesNoOtherEntries() {
        enqueue(PUMP, GENERATION, "a", "b", "c", "d");
        await(commands.lpop(keys.queue(BUCKET, PUMP)));

        acknowledge(PUMP, GENERATION, 1);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("2 b", "3 c", "4 d");
        await(commands.lpop(keys.queue(BUCKET, PUMP)));
        Registration session = connect(PUMP, GENERATION, NODE);
        assertThat(texts(page(PUMP, session, 3))).containsExactly("3 c", "4 d");
        acknowledge(PUMP, GENERATION, 3);
        assertThat(waiting(PUMP, GENERATION)).containsExactly("4 d");
    }

    @Test
    void tombstonesInTheMiddleAreNotRead() {
        Registration session = connect(PUMP, GENERATION, NODE);
        enqueue(PUMP, GENERATION, "a", "b", "c", "d", "e");
        leaveGone(2);

        assertThat(texts(page(PUMP, session, 1))).containsExactly("1 a", "2 b", "4 d", "5 e");
        assertThat(texts(page(PUMP, session, 3))).containsExactly("4 d", "5 e");
        assertThat(texts(page(PUMP, session, 5))).containsExactly("5 e");
        acknowledge(PUMP, GENERATION, 3);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("4 d", "5 e");
    }

    @Test
    void aPageStartsAtTheRequestedSequenceBehindTombstones() {
        Registration session = connect(PUMP, GENERATION, NODE);
        enqueue(PUMP, GENERATION, "a", "b", "c", "d", "e", "f");
        acknowledgeRun(2);
        leaveGone(2);

        assertThat(texts(page(PUMP, session, 6))).containsExactly("6 f");
        assertThat(texts(page(PUMP, session, 4))).containsExactly("5 e", "6 f");
        assertThat(texts(page(PUMP, session, 2))).containsExactly("3 c", "5 e", "6 f");
    }

    @Test
    void aQueueWithATombstoneAtItsHeadStartsBehindIt() {
        Registration session = connect(PUMP, GENERATION, NODE);
        enqueue(PUMP, GENERATION, "a", "b", "c", "d", "e");
        acknowledgeRun(2);
        leaveGone(1);

        acknowledge(PUMP, GENERATION, 1);
        assertThat(texts(page(PUMP, session, 1))).containsExactly("4 d", "5 e");
        assertThat(connect(PUMP, GENERATION, NODE).head()).isEqualTo(4);
    }

    /** Leaves a tombstone, as a script does that fails before it removes an entry from the middle of a queue. */
    private void leaveGone(long place) {
        await(commands.lset(keys.queue(BUCKET, PUMP), place, "gone".getBytes(StandardCharsets.UTF_8)));
    }

    private void acknowledgeRun(long sequence) {
        SequenceRange run = new SequenceRange(sequence, sequence + 1);
        await(queues().acknowledge(BUCKET, List.of(new Acknowledgement(PUMP, GENERATION, viewId(), 0, List.of(run)))));
    }

    @Test
    void scriptsThatRedisLostAreSentAgain() {
        enqueue(PUMP, GENERATION, "a");
        redis.server().commands().scriptFlush();

        enqueue(PUMP, GENERATION, "b");
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a", "2 b");
    }

    @Test
    void theViewOfAnotherLogIsRejected() {
        enqueue(PUMP, GENERATION, "a");
        RedisBuckets others =
                new RedisBuckets(redis.server(), RedisUnderTest.BUCKETS, new UUID(1, 2), new SimpleMeterRegistry());

        assertThatThrownBy(() -> await(new RedisDeviceQueues(others).position(BUCKET)))
                .cause()
                .isInstanceOf(StoreUnavailableException.class)
                .hasMessageContaining("is the view of another log");
        assertThat(waiting(PUMP, GENERATION)).containsExactly("1 a");
    }

    @Test
    void aValueOfAnotherVersionIsNamedAndItsCommandRejected() {
        enqueue(PUMP, GENERATION, "a");
        await(commands.setrange(keys.session(BUCKET, PUMP), 0, new byte[] {9}));
        assertThatThrownBy(() -> connect(PUMP, GENERATION, NODE))
                .cause()
                .isInstanceOf(StoreRejectedException.class)
                .hasMessageContaining("session pump-1 has version 9, and this broker knows version 2");

        await(commands.setrange(keys.bucket(BUCKET), 0, new byte[] {9}));
        assertThatThrownBy(() -> await(queues().position(BUCKET)))
                .cause()
                .hasMessageContaining("bucket has version 9, and this broker knows version 1");
    }

    @Test
    void aPositionNeverExceedsTheStartedOffset() {
        BucketApplied applied = done(to(PUMP, GENERATION, "a"));

        byte[] bucket = await(commands.get(keys.bucket(BUCKET)));
        assertThat(ByteBuffer.wrap(bucket).getLong(BEGUN_AT))
                .isEqualTo(applied.position().appliedOffset());
    }

    /** Creates the session first, because the start of a session deletes its queue's key. */
    private void begin(ClientId clientId) {
        await(registry().restore(BUCKET, List.of(new Known(clientId, GENERATION, GENERATION, ""))));
    }

    private double failures(String reason) {
        return redis.registry()
                .get("heddle.redis.failures")
                .tag("reason", reason)
                .counter()
                .count();
    }

    @Override
    protected BucketStore store() {
        return store;
    }
}
