package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.heddle.core.authentication.CredentialsStore;
import io.heddle.core.authentication.PasswordHash;
import io.heddle.core.authentication.StoredCredentials;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.standalone.Server;
import io.heddle.standalone.Servers;
import io.heddle.standalone.Tuning;
import io.heddle.standalone.process.SupervisedProcess;
import io.netty.handler.codec.mqtt.MqttConnectReturnCode;
import io.netty.handler.codec.mqtt.MqttVersion;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.JsonNode;

/** Clients that are blocked by the command while they are connected. The test has its own servers, and restarts one of them. */
@Timeout(value = 5, unit = TimeUnit.MINUTES)
final class BlockedClientsIT {
    private static final Duration READY = Duration.ofMinutes(2);
    private static final int ADMINISTRATIVE_ACTION = 0x98;
    private static final int FLAPPING_CONNECTIONS = 20;
    private static final String USER = "blocked-user";
    private static final String PASSWORD = "correct horse";
    private static final String LIST = "/api/v1/blocked-clients";

    @TempDir
    static Path directory;

    private static Servers servers;
    private static BrokerUnderTest broker;
    private static RestAdministrator administrator;

    @BeforeAll
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    static void start() throws Exception {
        servers = Servers.builder(directory).tuning(Tuning.TESTS).start();
        servers.awaitReady(READY);
        broker = startBroker();
        administrator = new RestAdministrator(broker);
        String hash = broker.part(PasswordHash.class).hash(BinaryData.wrap(PASSWORD.getBytes(UTF_8)));
        broker.part(CredentialsStore.class)
                .put(new StoredCredentials(UUID.randomUUID(), null, USER, ClientType.DEVICE, hash));
    }

    private static BrokerUnderTest startBroker() {
        return BrokerUnderTest.startOn(
                servers.endpoints(),
                "--heddle.authentication.anonymous.enabled=true",
                "--heddle.authentication.flapping.connections=" + FLAPPING_CONNECTIONS);
    }

    @AfterAll
    static void stop() {
        try (Servers _ = servers;
                BrokerUnderTest _ = broker) {
            administrator.close();
        }
    }

    private static RawClient open(MqttVersion version, String clientId) {
        return new RawConnect(version, clientId).user(USER, PASSWORD).open(broker.mqttPort());
    }

    private static void assertRefused(MqttVersion version, String clientId) {
        RefusedConnect refused = catchThrowableOfType(RefusedConnect.class, () -> open(version, clientId));
        assertThat(refused).as(clientId).isNotNull();
        assertThat(refused.code())
                .isEqualTo(
                        version == MqttVersion.MQTT_5
                                ? MqttConnectReturnCode.CONNECTION_REFUSED_BANNED
                                : MqttConnectReturnCode.CONNECTION_REFUSED_NOT_AUTHORIZED);
    }

    private static void block(String option, String value) throws Exception {
        administrator.command("blocked", "add", option, value, "--reason", "a test blocks it", "--for", "1h");
    }

    /** Lifts all blocks. */
    private static void lift() throws Exception {
        for (JsonNode each : administrator.get(LIST).path("items")) {
            administrator.command("blocked", "remove", each.path("id").asString());
        }
        assertThat(administrator.get(LIST).path("items").isEmpty()).isTrue();
    }

    private static void awaitAccepted(MqttVersion version, String clientId) {
        Soon.until(() -> {
            try (RawClient client = open(version, clientId)) {
                client.leave();
                return true;
            } catch (RefusedConnect stillBlocked) {
                return false;
            }
        });
    }

    @ParameterizedTest
    @CsvSource({
        "MQTT_5, --client-id, blocked-1",
        "MQTT_3_1_1, --client-id, blocked-2",
        "MQTT_5, --pattern, blocked-?",
        "MQTT_5, --user, " + USER,
        "MQTT_3_1_1, --user, " + USER,
        "MQTT_5, --address, 127.0.0.1",
        "MQTT_3_1_1, --address, 127.0.0.0/8"
    })
    void aConnectedClientIsDisconnectedAndRefusedUntilTheBlockIsLifted(MqttVersion version, String option, String value)
            throws Exception {
        String clientId = option.equals("--client-id") ? value : "blocked-7";
        try (RawClient client = open(version, clientId)) {
            block(option, value);

            assertThat(client.closedBecause())
                    .isEqualTo(version == MqttVersion.MQTT_5 ? ADMINISTRATIVE_ACTION : RawClient.NO_REASON);
        }
        assertRefused(version, clientId);

        lift();
        awaitAccepted(version, clientId);
    }

    @Test
    void aBlockOutlivesARestartOfPostgresAndLaterOnesHoldToo() throws Exception {
        block("--client-id", "blocked-before");
        Soon.until(() -> broker.gauge("heddle.clients.blocked.entries") >= 1);
        SupervisedProcess postgres = servers.process(Server.POSTGRESQL, 0);
        postgres.crash();
        try {
            assertRefused(MqttVersion.MQTT_5, "blocked-before");
        } finally {
            postgres.start();
        }
        assertThat(postgres.awaitReady(READY)).isTrue();

        // Connections of the pool may still lead to the earlier server.
        AtomicReference<@Nullable RawClient> opened = new AtomicReference<>();
        Soon.untilAsserted(() -> opened.set(new RawConnect("blocked-after").open(broker.mqttPort())));
        try (RawClient client = Objects.requireNonNull(opened.get())) {
            Soon.untilAsserted(() -> block("--client-id", "blocked-after"));

            assertThat(client.closedBecause()).isEqualTo(ADMINISTRATIVE_ACTION);
        }
        assertRefused(MqttVersion.MQTT_5, "blocked-before");
        Soon.untilAsserted(BlockedClientsIT::lift);
        awaitAccepted(MqttVersion.MQTT_5, "blocked-before");
    }

    @Test
    void aFlappingClientIsBlockedAndCanBeLifted() throws Exception {
        int port = broker.mqttPort();
        for (int i = 0; i < FLAPPING_CONNECTIONS; i++) {
            new RawConnect("flapping").open(port).leave();
        }
        try (RawClient last = new RawConnect("flapping").open(port)) {
            assertThat(last.closedBecause()).isEqualTo(ADMINISTRATIVE_ACTION);
        }
        assertThatThrownBy(() -> new RawConnect("flapping").open(port)).isInstanceOf(RefusedConnect.class);
        Soon.until(() -> !administrator.get(LIST).path("items").isEmpty());
        JsonNode entry = administrator.get(LIST).path("items").path(0);
        assertThat(entry.path("value").asString()).isEqualTo("flapping");
        assertThat(entry.path("createdBy").asString()).isEqualTo("flapping");
        assertThat(entry.path("reason").asString()).isEqualTo("connected more than 20 times within 60 s");

        administrator.command("blocked", "list", "--by", "flapping", "--prefix", "flap", "--descending");
        lift();
        awaitAccepted(MqttVersion.MQTT_5, "flapping");
    }

    @Test
    void aNodeStartsAlthoughItsOwnAddressIsBlockedAndRefusesItsClients() throws Exception {
        block("--address", "127.0.0.0/8");
        administrator.close();
        broker.close();
        broker = startBroker();
        administrator = new RestAdministrator(broker);

        assertRefused(MqttVersion.MQTT_5, "blocked-7");

        lift();
        awaitAccepted(MqttVersion.MQTT_5, "blocked-7");
    }
}
