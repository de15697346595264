package io.heddle.persistence.kafka.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.log.LogAppend;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.delivery.log.OrderFence;
import io.heddle.core.testkit.ApplicationLogsFixture;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.TestLife;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.log.KafkaLogs;
import io.heddle.persistence.kafka.read.LogOffsets;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.TopicPartition;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** The topics of APPLICATION clients, of which two nodes decide about a bucket each. */
class SharedApplicationTopicsIT extends ApplicationLogsFixture {
    private static final Buckets BUCKETS = new Buckets(2);
    private static final Duration DELETE_DELAY = Duration.ofSeconds(1);
    /** Longer than a deletion takes. */
    private static final Duration LATER = Duration.ofSeconds(3);

    private final TestLife lifeOfB = new TestLife();

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private FreshLogs fresh;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private ApplicationLogs a;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private KafkaLogs nodeB;

    @SuppressWarnings("NullAway.Init") // Set before each test.
    private ApplicationLogs b;

    @BeforeEach
    void open() throws Exception {
        ApplicationLogSettings settings = new ApplicationLogSettings(4 << 20, DELETE_DELAY, Duration.ofSeconds(1), 1);
        fresh = new FreshLogs(TestServers.shared(), BUCKETS.count(), TestSettings.PENDING_LIMIT_BYTES, settings);
        a = fresh.logs.applications();
        nodeB = KafkaLogs.open(
                fresh.cluster,
                TestSettings.producers("node-b"),
                lifeOfB,
                settings,
                fresh.positions,
                new SimpleMeterRegistry());
        b = nodeB.applications();
        take(a, 0, Map.of());
        take(b, 1, Map.of());
    }

    @AfterEach
    void close() {
        lifeOfB.release();
        nodeB.close();
        fresh.close();
    }

    @Override
    protected ApplicationLogs logs() {
        return a;
    }

    @Override
    protected void append(List<ToApplication> appends) throws Exception {
        fresh.append(appends);
    }

    /** A client of this bucket. */
    private ClientId client(int bucket) {
        return IntStream.iterate(0, i -> i + 1)
                .mapToObj(i -> client("app/" + i))
                .filter(each -> BUCKETS.of(each) == bucket)
                .findFirst()
                .orElseThrow();
    }

    private static Map<ClientId, Long> take(ApplicationLogs logs, int bucket, Map<ClientId, Long> generations) {
        var taken = logs.take(bucket, generations).toCompletableFuture();
        assertThat(taken).succeedsWithin(PATIENCE);
        return taken.join();
    }

    private static long create(ApplicationLogs logs, ClientId app, long generation) {
        var created = logs.create(app, generation).toCompletableFuture();
        assertThat(created).succeedsWithin(PATIENCE);
        return created.join();
    }

    private static void release(ApplicationLogs logs, int bucket) {
        assertThat(logs.release(bucket).toCompletableFuture()).succeedsWithin(PATIENCE);
    }

    private @Nullable Uuid topicId(ClientId clientId) throws Exception {
        String name = KafkaTopics.application(clientId);
        return fresh.cluster.admin().listTopics().listings().get().stream()
                .filter(topic -> topic.name().equals(name))
                .map(TopicListing::topicId)
                .findAny()
                .orElse(null);
    }

    private RecordingOutcome appendAtB(ClientId app, long generation, String payload) {
        RecordingOutcome outcome = new RecordingOutcome();
        nodeB.messages().append(List.of(append(app, generation, payload)), outcome);
        return outcome;
    }

    private static void assertRead(ApplicationLogs logs, ClientId app, long generation, String... payloads) {
        Reader reader = new Reader();
        ApplicationLogs.Reading reading = logs.read(app, generation, 0, reader);
        reader.await(payloads);
        reading.close();
    }

    @Test
    void aNodeAppendsToATopicThatAnotherOneHasCreated() throws Exception {
        ClientId app = client(0);
        create(a, app, 5);

        assertThat(appendAtB(app, 5, "1").await()).isNull();
        RecordingOutcome committed = new RecordingOutcome();
        List<LogAppend> commit = List.of(append(app, 5, "2"));
        nodeB.messages().commit(commit, new OrderFence(), committed);
        assertThat(committed.await()).isNull();

        append(List.of(append(app, 5, "3")));
        assertRead(b, app, 5, "1", "2", "3");
    }

    @Test
    void anAppendWaitsUntilTheTopicExists() throws Exception {
        ClientId app = client(0);
        RecordingOutcome outcome = appendAtB(app, 5, "early");

        create(a, app, 5);

        assertThat(outcome.await()).isNull();
        assertRead(b, app, 5, "early");
    }

    @Test
    void aTopicThatWasReplacedIsFound() throws Exception {
        ClientId app = client(0);
        create(a, app, 5);
        assertThat(appendAtB(app, 5, "old").await()).isNull();
        assertRead(b, app, 5, "old");
        Uuid old = topicId(app);
        a.end(app, 5, 0);
        await().atMost(PATIENCE).until(() -> topicId(app) == null);
        create(a, app, 6);
        assertThat(topicId(app)).isNotEqualTo(old);

        assertThat(appendAtB(app, 6, "new").await()).isNull();
        assertThat(appendAtB(app, 5, "late").await()).isNull();

        assertRead(b, app, 6, "new");
    }

    @Test
    void appendsForAnEndedSessionAreAnsweredWithoutATopic() throws Exception {
        ClientId app = client(0);
        RecordingOutcome ended = appendAtB(app, 5, "1");
        RecordingOutcome next = appendAtB(app, 6, "2");

        assertThat(b.forget(app, 5)).isEqualTo(1);
        assertThat(ended.await()).isNull();
        assertThat(b.forget(app, 5)).isZero();
        create(a, app, 6);

        assertThat(next.await()).isNull();
        assertRead(a, app, 6, "2");
    }

    @Test
    void aNodeDeletesTopicsWithoutSessionInItsBucketsOnly() throws Exception {
        ClientId ofA = client(0);
        ClientId ofB = client(1);
        create(a, ofA, 5);
        create(b, ofB, 5);
        release(b, 1);
        release(a, 0);

        take(a, 1, Map.of());

        await().atMost(PATIENCE).until(() -> topicId(ofB) == null);
        await().during(LATER).atMost(PATIENCE).until(() -> topicId(ofA) != null);
    }

    @Test
    void aReleasedBucketKeepsItsTopicsUntilTheNextNodeTakesIt() throws Exception {
        ClientId ended = client(1);
        create(b, ended, 5);
        b.end(ended, 5, 0);
        release(b, 1);
        await().during(LATER).atMost(PATIENCE).until(() -> topicId(ended) != null);

        take(a, 1, Map.of());

        await().atMost(PATIENCE).until(() -> topicId(ended) == null);
    }

    @Test
    void aBucketThatComesBackKeepsItsSession() throws Exception {
        ClientId app = client(1);
        create(b, app, 5);
        assertThat(appendAtB(app, 5, "1").await()).isNull();
        release(b, 1);
        assertThat(take(a, 1, Map.of(app, 5L))).containsEntry(app, 1L);
        assertThat(appendAtB(app, 5, "2").await()).isNull();
        release(a, 1);

        assertThat(take(b, 1, Map.of(app, 5L))).containsEntry(app, 2L);

        assertRead(a, app, 5, "1", "2");
        b.end(app, 5, 0);
        await().atMost(PATIENCE).until(() -> topicId(app) == null);
    }

    @Test
    void onlyTheHolderDeletesAcknowledgedRecords() throws Exception {
        ClientId app = client(0);
        create(a, app, 5);
        append(List.of(append(app, 5, "1"), append(app, 5, "2"), append(app, 5, "3")));
        assertThat(appendAtB(app, 5, "4").await()).isNull();
        LogOffsets offsets = new LogOffsets(fresh.cluster.admin());
        List<TopicPartition> partition = List.of(new TopicPartition(KafkaTopics.application(app), 0));
        b.acknowledged(app, 5, 3);
        await().during(LATER)
                .atMost(PATIENCE)
                .until(() -> offsets.beginnings(partition)
                                .toCompletableFuture()
                                .get()
                                .getFirst()
                        == 0);

        a.acknowledged(app, 5, 2);

        await().atMost(PATIENCE)
                .until(() -> offsets.beginnings(partition)
                                .toCompletableFuture()
                                .get()
                                .getFirst()
                        == 2);
    }
}
