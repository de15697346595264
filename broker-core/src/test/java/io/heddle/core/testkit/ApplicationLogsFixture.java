package io.heddle.core.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.client.ClientId;
import io.heddle.core.delivery.application.ApplicationLogs;
import io.heddle.core.delivery.application.ApplicationMessage;
import io.heddle.core.delivery.log.LogAppend.ToApplication;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.QoS;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import org.awaitility.Awaitility;
import org.jspecify.annotations.Nullable;

/** Clients, messages and readers for tests of {@link ApplicationLogs}. Clients of one test are unknown to every other. */
public abstract class ApplicationLogsFixture {
    protected static final Duration PATIENCE = Duration.ofSeconds(30);

    private final String run = UUID.randomUUID().toString();

    /** The logs under test, the same throughout a test. */
    protected abstract ApplicationLogs logs();

    /** Appends each of these, outside of transactions and in order, and returns when all are durable. */
    protected abstract void append(List<ToApplication> appends) throws Exception;

    /** Records what it reads. Any thread. */
    protected static final class Reader implements ApplicationLogs.Sink {
        private final List<ApplicationMessage> messages = new ArrayList<>();
        private @Nullable String lost;

        public Reader() {}

        @Override
        public synchronized void read(List<ApplicationMessage> read) {
            messages.addAll(read);
        }

        @Override
        public synchronized void lost(String reason) {
            lost = reason;
        }

        public synchronized List<ApplicationMessage> messages() {
            return List.copyOf(messages);
        }

        public synchronized @Nullable String lost() {
            return lost;
        }

        public List<String> payloads() {
            return messages().stream()
                    .map(message -> PublishMessages.text(message.message()))
                    .toList();
        }

        public void await(String... payloads) {
            Awaitility.await()
                    .atMost(PATIENCE)
                    .untilAsserted(() -> assertThat(payloads()).containsExactly(payloads));
        }
    }

    /** A client of this test alone. */
    protected ClientId client(String name) {
        return new ClientId(run + "/" + name);
    }

    /** Makes the log of a client's session. */
    protected long created(ClientId clientId, long generation) throws Exception {
        return logs().create(clientId, generation).toCompletableFuture().get(PATIENCE.toSeconds(), TimeUnit.SECONDS);
    }

    protected static ToApplication append(ClientId clientId, long generation, String payload) {
        return new ToApplication(clientId, generation, message(payload), QoS.AT_LEAST_ONCE, false, List.of());
    }

    protected static PublishMessage message(String payload) {
        return PublishMessages.message("plant/1/temperature", QoS.AT_LEAST_ONCE, payload);
    }
}
