package io.heddle.persistence.kafka.application;

import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.testkit.ApplicationLogsFixture;
import io.heddle.core.testkit.RecordingOutcome;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.ApplicationLogSettings;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.TestLife;
import io.heddle.persistence.kafka.log.FreshLogs;
import io.heddle.persistence.kafka.log.KafkaLogs;
import io.heddle.standalone.testkit.TestServers;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.apache.kafka.clients.admin.TopicListing;
import org.apache.kafka.common.Uuid;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AutoClose;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/** The life of the topics of APPLICATION clients: their creation, their deletion, and topics without a session. */
class ApplicationTopicsIT extends ApplicationLogsFixture {
    private static final long MEBIBYTE = 1 << 20;

    @AutoClose
    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private static FreshLogs fresh;

    @BeforeAll
    static void open() throws Exception {
        fresh = new FreshLogs(
                TestServers.shared(), 1, TestSettings.PENDING_LIMIT_BYTES, settings(Duration.ofSeconds(1)));
    }

    @Override
    protected ApplicationLogs logs() {
        return fresh.logs.applications();
    }

    @Override
    protected void append(List<ToApplication> appends) throws Exception {
        fresh.append(appends);
    }

    private static ApplicationLogSettings settings(Duration deleteDelay) {
        return new ApplicationLogSettings(4 * MEBIBYTE, deleteDelay, Duration.ofHours(1), 1);
    }

    private static boolean hasTopic(ClientId clientId) throws Exception {
        return topicId(clientId) != null;
    }

    private static @Nullable Uuid topicId(ClientId clientId) throws Exception {
        String name = KafkaTopics.application(clientId);
        return fresh.cluster.admin().listTopics().listings().get().stream()
                .filter(topic -> topic.name().equals(name))
                .map(TopicListing::topicId)
                .findAny()
                .orElse(null);
    }

    @Test
    void theTopicOfAnEndedSessionIsDeletedAfterAWhile() throws Exception {
        ClientId app = client("app");
        ClientId kept = client("kept");
        created(app, 5);
        created(kept, 5);
        double deleted = fresh.count("heddle.applications.topics", "outcome", "deleted");
        logs().end(kept, 5, 0);
        logs().end(app, 5, 0);
        // The client reconnects before the deletion.
        created(kept, 6);

        await().atMost(PATIENCE).until(() -> !hasTopic(app));
        await().atMost(PATIENCE).until(() -> fresh.count("heddle.applications.topics", "outcome", "deleted") > deleted);
        assertThat(hasTopic(kept)).isTrue();

        long again = created(app, 7);
        append(List.of(append(app, 7, "a")));
        Reader reader = new Reader();
        logs().read(app, 7, again, reader);
        reader.await("a");
    }

    @Test
    void aTopicLeftByACrashIsDeletedByTheNextStart() throws Exception {
        ClientId known = client("known");
        ClientId forgotten = client("forgotten");
        try (KafkaLogs crashed = KafkaLogs.open(
                fresh.cluster,
                TestSettings.producers("crashed"),
                new TestLife(),
                TestSettings.applicationLogs(),
                fresh.positions,
                new SimpleMeterRegistry())) {
            for (ClientId app : List.of(known, forgotten)) {
                assertThat(crashed.applications().create(app, 5).toCompletableFuture())
                        .succeedsWithin(PATIENCE);
            }
        }

        assertThat(logs().take(0, Map.of(known, 5L)).toCompletableFuture()).succeedsWithin(PATIENCE);
        await().atMost(PATIENCE).until(() -> !hasTopic(forgotten));
        assertThat(hasTopic(known)).isTrue();
        append(List.of(append(known, 5, "a")));
    }

    private static KafkaLogs node(String name, TestLife life, Duration deleteDelay) {
        return KafkaLogs.open(
                fresh.cluster,
                TestSettings.producers(name),
                life,
                settings(deleteDelay),
                fresh.positions,
                new SimpleMeterRegistry());
    }

    /** Takes over from a node, and stores a message in a new session of a client whose earlier session has ended. */
    private static Uuid takeOver(KafkaLogs next, ClientId app) throws Exception {
        assertThat(next.applications().take(0, Map.of()).toCompletableFuture()).succeedsWithin(PATIENCE);
        assertThat(next.applications().create(app, 6).toCompletableFuture()).succeedsWithin(PATIENCE);
        RecordingOutcome outcome = new RecordingOutcome();
        next.messages().append(List.of(append(app, 6, "acknowledged")), outcome);
        assertThat(outcome.await()).isNull();
        return Objects.requireNonNull(topicId(app));
    }

    private static void assertKept(KafkaLogs next, ClientId app, Uuid topicId) {
        await().during(Duration.ofSeconds(4))
                .atMost(PATIENCE)
                .untilAsserted(() -> assertThat(topicId(app)).isEqualTo(topicId));
        Reader reader = new Reader();
        next.applications().read(app, 6, 0, reader);
        reader.await("acknowledged");
    }

    @Test
    void aNodeThatWasFrozenDeletesNoTopicOfTheNodeThatTookOver() throws Exception {
        ClientId app = client("app");
        TestLife life = new TestLife();
        try (KafkaLogs frozen = node("frozen", life, Duration.ofSeconds(3));
                KafkaLogs next = node("next", new TestLife(), Duration.ofMinutes(10))) {
            assertThat(frozen.applications().create(app, 5).toCompletableFuture())
                    .succeedsWithin(PATIENCE);
            frozen.applications().end(app, 5, 0);
            life.declareDead();

            Uuid topicId = takeOver(next, app);

            assertKept(next, app, topicId);
        }
    }

    @Test
    void aDeletionThatArrivesLateHitsNoTopicOfTheNodeThatTookOver() throws Exception {
        ClientId app = client("app");
        TestLife life = new TestLife();
        try (KafkaLogs frozen = node("frozen", life, Duration.ofSeconds(1));
                KafkaLogs next = node("next", new TestLife(), Duration.ofMinutes(10))) {
            assertThat(frozen.applications().create(app, 5).toCompletableFuture())
                    .succeedsWithin(PATIENCE);
            Uuid old = topicId(app);
            int confirmations = life.confirmations();
            life.hold();
            frozen.applications().end(app, 5, 0);
            await().atMost(PATIENCE).until(() -> life.confirmations() > confirmations);

            Uuid topicId = takeOver(next, app);
            life.release();

            assertThat(topicId).as("the topic of an earlier life is replaced").isNotEqualTo(old);
            assertKept(next, app, topicId);
        } finally {
            life.release();
        }
    }
}
