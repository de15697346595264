package io.heddle.app.e2e;

import static io.heddle.app.e2e.ChangedCredentialsIT.withCredentials;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.session.ClientSession;
import io.heddle.core.session.LocalSessions;
import io.heddle.persistence.password.Argon2PasswordHash;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Access of anonymous and known clients: one test for each sentence of the documentation. */
@Tag("ci")
final class AnonymousAccessIT {
    private static final String STANDALONE = "--spring.profiles.active=standalone";
    private static final String EVERYWHERE = "--bind=0.0.0.0";
    private static final String USER = "sensors";
    private static final String PASSWORD = "correct horse";
    private static final int FLOOD = 200;

    @TempDir
    @SuppressWarnings("NullAway.Init") // Set by JUnit.
    private Path dataDirectory;

    @AfterEach
    void forgetCredentials() {
        withCredentials(store -> store.remove(null, USER));
        withCredentials(store -> store.remove(new ClientId("meter"), null));
    }

    @Test
    void standaloneOnAPublicAddressDisablesAnonymousAccess() {
        store(null, USER, ClientType.DEVICE);
        try (BrokerUnderTest broker = BrokerUnderTest.start(STANDALONE, dataDirectory(), EVERYWHERE)) {
            assertThat(connect(broker, "any", null, null)).isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED);
            assertThat(connect(broker, "any", USER, PASSWORD)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        }
    }

    @Test
    void standaloneOnAPublicAddressWithoutCredentialsFailsNamingBothRemedies() {
        assertThatExceptionOfType(StartupException.class)
                .isThrownBy(() -> BrokerUnderTest.start(STANDALONE, dataDirectory(), EVERYWHERE)
                        .close())
                .withMessageContaining("./heddle credentials add")
                .withMessageContaining("--heddle.authentication.anonymous.enabled=true");
    }

    @Test
    void credentialsAreCheckedEvenWithAnonymousAccess() {
        store(null, USER, ClientType.APPLICATION);
        store(new ClientId("meter"), null, ClientType.DEVICE);
        try (BrokerUnderTest broker = BrokerUnderTest.start("--heddle.authentication.anonymous.enabled=true")) {
            assertThat(connect(broker, "any", null, null)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
            assertThat(typeOf(broker, "billing-1", null, null))
                    .as("no patterns by default")
                    .isEqualTo(ClientType.DEVICE);
            assertThat(connect(broker, "any", USER, "wrong"))
                    .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
            assertThat(connect(broker, "any", "nobody", PASSWORD))
                    .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
            assertThat(connect(broker, "meter", null, null))
                    .as("a client id with credentials is not for anonymous clients")
                    .isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED);
            assertThat(broker.count("heddle.connects", "outcome", "bad_user_name_or_password"))
                    .isEqualTo(2);
        }
    }

    @Test
    void wrongPasswordsFromOneAddressDoNotDelayOtherAddresses() {
        store(null, USER, ClientType.DEVICE);
        List<RawClient> flood = new ArrayList<>();
        try (BrokerUnderTest broker = BrokerUnderTest.start("--heddle.authentication.concurrent-password-checks=1")) {
            for (int i = 0; i < FLOOD; i++) {
                flood.add(RawClient.guess(broker.mqttPort(), "127.0.0.2", USER, "wrong-" + i));
            }
            Soon.until(() -> broker.gauge("heddle.password.waiting") > 0.75 * FLOOD);

            assertThat(connect(broker, "any", USER, PASSWORD)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);

            assertThat(broker.gauge("heddle.password.waiting"))
                    .as("guesses that still wait")
                    .isGreaterThan(0.25 * FLOOD);
        } finally {
            flood.forEach(RawClient::close);
        }
    }

    @Test
    void clientsOfAnAddressThatConnectTooOftenAreRefused() {
        try (BrokerUnderTest broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.authentication.maximum-connect-rate-per-address=1")) {
            // What an address has not used for ten seconds, it may use at once.
            List<Mqtt5ConnAckReasonCode> answers = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                answers.add(connect(broker, "any", null, null));
            }

            assertThat(answers).startsWith(Mqtt5ConnAckReasonCode.SUCCESS);
            assertThat(answers)
                    .contains(Mqtt5ConnAckReasonCode.CONNECTION_RATE_EXCEEDED)
                    .containsOnly(Mqtt5ConnAckReasonCode.SUCCESS, Mqtt5ConnAckReasonCode.CONNECTION_RATE_EXCEEDED);
            assertThat(broker.count("heddle.connects", "outcome", "connection_rate_exceeded"))
                    .isPositive();
            assertThat(broker.count(
                            "heddle.limits.refusals",
                            "setting",
                            "heddle.authentication.maximum-connect-rate-per-address"))
                    .isPositive();
        }
    }

    @Test
    void theTypeComesFromTheCredentialsOrFromTheAnonymousPatterns() {
        store(null, USER, ClientType.APPLICATION);
        try (BrokerUnderTest broker = BrokerUnderTest.start(
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.authentication.anonymous.application-clients=billing-*,reports")) {
            assertThat(typeOf(broker, "billing-1", null, null)).isEqualTo(ClientType.APPLICATION);
            assertThat(typeOf(broker, "reports", null, null)).isEqualTo(ClientType.APPLICATION);
            assertThat(typeOf(broker, "reports-2", null, null)).isEqualTo(ClientType.DEVICE);
            assertThat(typeOf(broker, "any", USER, PASSWORD)).isEqualTo(ClientType.APPLICATION);
        }
    }

    @Test
    void withoutTheProfilePasswordsAreNeededAndTheirHashIsCachedUntilTheyChange() {
        store(null, USER, ClientType.DEVICE);
        try (BrokerUnderTest broker = BrokerUnderTest.start()) {
            assertThat(connect(broker, "any", null, null))
                    .as("without the profile, even on loopback")
                    .isEqualTo(Mqtt5ConnAckReasonCode.NOT_AUTHORIZED);
            double computed = verified(broker, "computed");
            double remembered = verified(broker, "remembered");
            for (int i = 0; i < 3; i++) {
                assertThat(connect(broker, "any", USER, PASSWORD)).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
            }
            assertThat(verified(broker, "computed")).isEqualTo(computed + 1);
            assertThat(verified(broker, "remembered")).isEqualTo(remembered + 2);

            store(null, USER, ClientType.DEVICE, "another");
            assertThat(connect(broker, "any", USER, "another"))
                    .as("the new one at once")
                    .isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
            // The old one until the node has got PostgreSQL's notice.
            Soon.until(
                    () -> connect(broker, "any", USER, PASSWORD) == Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);

            withCredentials(store -> store.remove(null, USER));
            Soon.until(
                    () -> connect(broker, "any", USER, "another") == Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
            double until = verified(broker, "remembered");
            assertThat(connect(broker, "any", USER, "another"))
                    .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
            assertThat(verified(broker, "remembered")).isEqualTo(until);
        }
    }

    private static double verified(BrokerUnderTest broker, String result) {
        return broker.count("heddle.authentication.verified", "result", result);
    }

    private String dataDirectory() {
        return "--data-dir=" + dataDirectory;
    }

    private static Mqtt5BlockingClient client(
            BrokerUnderTest broker, String clientId, @Nullable String userName, @Nullable String password) {
        var builder = MqttClient.builder()
                .useMqttVersion5()
                .identifier(clientId)
                .serverHost("127.0.0.1")
                .serverPort(broker.mqttPort());
        if (userName != null && password != null) {
            builder.simpleAuth()
                    .username(userName)
                    .password(password.getBytes(UTF_8))
                    .applySimpleAuth();
        }
        return builder.buildBlocking();
    }

    private static Mqtt5ConnAckReasonCode connect(
            BrokerUnderTest broker, String clientId, @Nullable String userName, @Nullable String password) {
        Mqtt5BlockingClient client = client(broker, clientId, userName, password);
        try {
            Mqtt5ConnAckReasonCode reason = client.connect().getReasonCode();
            HiveMqGoodbye.disconnect(client);
            return reason;
        } catch (Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode();
        }
    }

    private static ClientType typeOf(
            BrokerUnderTest broker, String clientId, @Nullable String userName, @Nullable String password) {
        Mqtt5BlockingClient client = client(broker, clientId, userName, password);
        client.connect();
        ClientSession session = broker.part(LocalSessions.class).find(new ClientId(clientId));
        HiveMqGoodbye.disconnect(client);
        return Objects.requireNonNull(session, "the client's session")
                .identity()
                .type();
    }

    private static void store(@Nullable ClientId clientId, @Nullable String userName, ClientType type) {
        store(clientId, userName, type, PASSWORD);
    }

    private static void store(
            @Nullable ClientId clientId, @Nullable String userName, ClientType type, String password) {
        String hash = new Argon2PasswordHash(1, new SecureRandom(), new SimpleMeterRegistry())
                .hash(BinaryData.wrap(password.getBytes(UTF_8)));
        withCredentials(store -> store.put(new StoredCredentials(UUID.randomUUID(), clientId, userName, type, hash)));
    }
}
