package io.heddle.app.wiring;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.persistence.TestSettings;
import io.heddle.persistence.kafka.KafkaCluster;
import io.heddle.persistence.kafka.KafkaSettings;
import io.heddle.persistence.postgres.PostgresDatabase;
import io.heddle.persistence.postgres.PostgresSettings;
import io.heddle.persistence.redis.RedisServer;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** A server of another kind at a store's address ends the start with one sentence that names the address and the setting. */
final class WrongServersTest {
    /** The minimum of the settings. */
    private static final Duration PATIENCE = Duration.ofSeconds(1);

    private static final Duration REDIS_PATIENCE = Duration.ofSeconds(2);

    private final MeterRegistry metrics = new SimpleMeterRegistry();

    enum Server {
        HTTP(FakeServer.Wait.FOR_A_LINE, "HTTP/1.1 400 Bad Request\r\n\r\n"),
        REDIS(FakeServer.Wait.FOR_A_LINE, "-ERR unknown command\r\n"),
        POSTGRES(FakeServer.Wait.NOT_AT_ALL, "N"),
        KAFKA(FakeServer.Wait.NOT_AT_ALL, "\0\0\0*hedd\0\0"),
        SILENT(FakeServer.Wait.FOR_EVER, ""),
        CLOSING(FakeServer.Wait.NOT_AT_ALL, "");

        private final FakeServer.Wait wait;
        private final String answer;

        Server(FakeServer.Wait wait, String answer) {
            this.wait = wait;
            this.answer = answer;
        }

        FakeServer start() throws IOException {
            return FakeServer.answering(wait, answer.isEmpty() ? null : answer.getBytes(US_ASCII));
        }
    }

    private static String refusal(ThrowingCallable open) {
        StartupException refusal = catchThrowableOfType(StartupException.class, open);
        assertThat(refusal).isNotNull();
        return String.valueOf(refusal.getMessage());
    }

    private void openKafka(FakeServer server, Map<String, String> properties) {
        KafkaSettings settings = new KafkaSettings(
                server.hostAndPort(), PATIENCE, 1, 16, KafkaSettings.DEFAULT_BUCKET_LOG_BYTES, properties);
        KafkaCluster.open(settings, metrics).close();
    }

    private void openRedis(FakeServer server, String scheme) {
        RedisServer.open(TestSettings.redis(scheme + server.hostAndPort(), REDIS_PATIENCE, REDIS_PATIENCE), metrics)
                .close();
    }

    private void openPostgres(FakeServer server, String options) {
        PostgresSettings settings = new PostgresSettings(
                "jdbc:postgresql://" + server.hostAndPort() + "/heddle" + options,
                "heddle",
                "secret",
                1,
                PATIENCE,
                PATIENCE);
        PostgresDatabase.open(settings, metrics).close();
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP", "CLOSING"})
    void anotherServerIsNotKafka(Server kind) throws Exception {
        try (FakeServer server = kind.start()) {
            assertThat(refusal(() -> openKafka(server, Map.of())))
                    .contains("Kafka", server.hostAndPort(), "heddle.kafka.bootstrap-servers")
                    .doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "REDIS", mode = EnumSource.Mode.EXCLUDE)
    void anotherServerIsNotRedis(Server kind) throws Exception {
        try (FakeServer server = kind.start()) {
            assertThat(refusal(() -> openRedis(server, "redis://")))
                    .contains("Redis", server.hostAndPort(), "heddle.redis.url")
                    .doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"HTTP", "KAFKA", "CLOSING"})
    void anotherServerIsNotPostgres(Server kind) throws Exception {
        try (FakeServer server = kind.start()) {
            assertThat(refusal(() -> openPostgres(server, "?sslmode=prefer")))
                    .contains("PostgreSQL", server.hostAndPort(), "heddle.postgres.url")
                    .doesNotContain("\n");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"KAFKA", "SILENT"})
    void aServerWithoutTlsIsNamedWithTheSettingThatAsksForTls(Server kind) throws Exception {
        try (FakeServer server = kind.start()) {
            assertThat(refusal(() -> openKafka(server, Map.of("security.protocol", "SSL"))))
                    .contains("Kafka", server.hostAndPort(), "heddle.kafka.properties.s");
        }
    }

    @ParameterizedTest
    @EnumSource(names = {"REDIS", "HTTP", "POSTGRES", "SILENT"})
    void aRedisWithoutTlsIsNamedWithTheSchemeToWrite(Server kind) throws Exception {
        try (FakeServer server = kind.start()) {
            assertThat(refusal(() -> openRedis(server, "rediss://")))
                    .contains("Redis at " + server.hostAndPort() + " does not speak TLS", "write redis:// instead");
        }
    }

    @ParameterizedTest
    @EnumSource(names = "POSTGRES")
    void aPostgresWithoutTlsIsNamedWithTheUrl(Server kind) throws Exception {
        try (FakeServer server = kind.start()) {
            assertThat(refusal(() -> openPostgres(server, "?sslmode=require")))
                    .contains("PostgreSQL", server.hostAndPort(), "heddle.postgres.url");
        }
    }
}
