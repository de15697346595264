package io.heddle.persistence.kafka.log;

import static io.heddle.persistence.Startup.sentenceOf;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.ChangeLog;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import io.heddle.core.testkit.ChangeLogContract;
import io.heddle.persistence.kafka.KafkaTopics;
import io.heddle.persistence.kafka.append.LogClosedException;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.kafka.clients.producer.Producer;
import org.apache.kafka.clients.producer.ProducerRecord;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class KafkaChangeLogIT extends ChangeLogContract {
    private final FreshLogs fresh;

    KafkaChangeLogIT() throws Exception {
        fresh = new FreshLogs(1);
    }

    @AfterEach
    void close() {
        fresh.close();
    }

    @Override
    protected ChangeLog<ClientId, SessionRecord> log() {
        return fresh.logs.sessions();
    }

    @Test
    void routesAreReplayed() throws Exception {
        Route route = new Route(new ClientId("c"), "a/+/#", 3, QoS.EXACTLY_ONCE, true, false, 9);
        fresh.logs.routes().append(route.key(), route).toCompletableFuture().get(20, TimeUnit.SECONDS);

        Map<RouteKey, Route> told = new HashMap<>();
        fresh.logs.routes().replay((key, value) -> told.put(key, value), (read, of) -> {});
        assertThat(told).containsExactly(Map.entry(route.key(), route));
    }

    @Test
    void anUnreadableRecordStopsTheStart() throws Exception {
        try (Producer<byte[], byte[]> producer = fresh.producer("later", Map.of())) {
            producer.send(new ProducerRecord<>(KafkaTopics.SESSIONS, 2, new byte[] {1, 0, 1, 'c'}, new byte[] {7}))
                    .get();
            sentenceOf(() -> log().replay((key, value) -> {}, (read, of) -> {}))
                    .contains("heddle.sessions, partition 2, offset 0", "version 7", "Start the version of Heddle");
        }
    }

    @Test
    void aClosedConnectionIsUnavailability() {
        fresh.cluster.close();

        assertThatThrownBy(() -> log().replay((key, value) -> {}, (read, of) -> {}))
                .isInstanceOf(StoreUnavailableException.class);
    }

    @Test
    void anAppendAfterCloseFails() {
        fresh.logs.close();

        assertThat(log().append(new ClientId("c"), null).toCompletableFuture())
                .failsWithin(Duration.ofSeconds(5))
                .withThrowableThat()
                .withCauseInstanceOf(LogClosedException.class);
    }
}
