package io.heddle.app.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hivemq.client.mqtt.MqttClient;
import com.hivemq.client.mqtt.MqttClientBuilder;
import com.hivemq.client.mqtt.mqtt5.Mqtt5BlockingClient;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5ConnAckException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5DisconnectException;
import com.hivemq.client.mqtt.mqtt5.exceptions.Mqtt5SubAckException;
import com.hivemq.client.mqtt.mqtt5.message.connect.connack.Mqtt5ConnAckReasonCode;
import com.hivemq.client.mqtt.mqtt5.message.disconnect.Mqtt5DisconnectReasonCode;
import io.heddle.app.HiveMqGoodbye;
import io.heddle.persistence.StubServer;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.time.Duration;
import java.time.Instant;
import java.util.Arrays;
import java.util.Base64;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

/** A broker with the example of docs/security.md: tokens of an issuer, whose keys are at an address, and stored passwords. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class JwtIT {
    private static final String USER = "jwt-it-user";
    private static final int RAW_KEY_BYTES = 32;

    private final KeyPair key = key();
    private final StubServer issuer = new StubServer(StubServer.text(jwkSet(key)));

    @SuppressWarnings("NullAway.Init") // Set before all tests.
    private BrokerUnderTest broker;

    private static KeyPair key() {
        try {
            return KeyPairGenerator.getInstance("Ed25519").generateKeyPair();
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @BeforeAll
    void startBroker() throws Exception {
        broker = BrokerUnderTest.start(
                "--heddle.authentication.methods=jwt,password",
                "--heddle.authentication.jwt.jwks-url=" + issuer.url() + "/keys",
                "--heddle.authentication.jwt.refresh-interval=1s",
                "--heddle.authentication.jwt.fetch-pause=1s",
                "--heddle.authentication.jwt.claims.aud=heddle",
                "--heddle.authentication.jwt.claims.sub=${clientId}",
                "--heddle.authentication.jwt.groups-claim=roles",
                "--heddle.authentication.jwt.attribute-claims=site",
                "--heddle.authentication.jwt.clock-skew=0s");
        broker.replaceRules("""
                default deny
                allow all devices/${clientId}/# for everyone
                allow subscribe alarms/# for group operators
                allow subscribe sites/${attribute.site}/# for everyone
                """);
    }

    @AfterAll
    void stopBroker() throws Exception {
        // Other tests use the same servers.
        broker.replaceRules("default allow");
        broker.close();
        issuer.close();
        ChangedCredentialsIT.withCredentials(store -> store.remove(null, USER));
    }

    /** The keys have the names "1", "2". */
    private static String jwkSet(KeyPair key) {
        byte[] encoded = key.getPublic().getEncoded();
        byte[] raw = Arrays.copyOfRange(encoded, encoded.length - RAW_KEY_BYTES, encoded.length);
        return "{\"keys\":[{\"kty\":\"OKP\",\"crv\":\"Ed25519\",\"kid\":\"1\",\"x\":\"" + base64(raw) + "\"}]}";
    }

    private static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    private String token(String clientId, String audience, Instant expiry) throws GeneralSecurityException {
        String header = "{\"alg\":\"EdDSA\",\"kid\":\"1\"}";
        String claims = "{\"sub\":\"" + clientId + "\",\"aud\":[\"" + audience + "\"],\"roles\":[\"operators\"],"
                + "\"site\":\"paris\",\"exp\":" + expiry.getEpochSecond() + "}";
        String signed = base64(header.getBytes(UTF_8)) + "." + base64(claims.getBytes(UTF_8));
        Signature signature = Signature.getInstance("Ed25519");
        signature.initSign(key.getPrivate());
        signature.update(signed.getBytes(UTF_8));
        return signed + "." + base64(signature.sign());
    }

    private static Instant in(Duration time) {
        return Instant.now().plus(time);
    }

    private MqttClientBuilder builder(String clientId) {
        return MqttClient.builder().identifier(clientId).serverHost("127.0.0.1").serverPort(broker.mqttPort());
    }

    private Mqtt5BlockingClient client(String clientId, String userName, String password) {
        return client(clientId, userName, password, new CompletableFuture<>());
    }

    private Mqtt5BlockingClient client(
            String clientId,
            String userName,
            String password,
            CompletableFuture<Mqtt5DisconnectReasonCode> disconnected) {
        return builder(clientId)
                .useMqttVersion5()
                .simpleAuth()
                .username(userName)
                .password(password.getBytes(UTF_8))
                .applySimpleAuth()
                .addDisconnectedListener(context -> {
                    if (context.getCause() instanceof Mqtt5DisconnectException disconnect) {
                        disconnected.complete(disconnect.getMqttMessage().getReasonCode());
                    }
                })
                .buildBlocking();
    }

    private Mqtt5ConnAckReasonCode connect(String clientId, String userName, String password) {
        Mqtt5BlockingClient client = client(clientId, userName, password);
        try {
            Mqtt5ConnAckReasonCode reason = client.connect().getReasonCode();
            HiveMqGoodbye.disconnect(client);
            return reason;
        } catch (Mqtt5ConnAckException refused) {
            return refused.getMqttMessage().getReasonCode();
        }
    }

    @Test
    void aTokenOfTheIssuerForThisClientIsAcceptedAndOthersAreNot() throws Exception {
        Instant later = in(Duration.ofHours(1));

        assertThat(connect("jwt-1", "", token("jwt-1", "heddle", later))).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        assertThat(connect("jwt-1", "", token("jwt-2", "heddle", later)))
                .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(connect("jwt-1", "", token("jwt-1", "other", later)))
                .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(connect("jwt-1", "", token("jwt-1", "heddle", in(Duration.ofSeconds(-1)))))
                .isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(broker.gauge("heddle.authentication.jwt.keys.age")).isNotNegative();
    }

    @Test
    void groupsAndAttributesOfTheTokenSelectRules() throws Exception {
        Mqtt5BlockingClient client = client("jwt-3", "", token("jwt-3", "heddle", in(Duration.ofHours(1))));
        client.connect();

        client.subscribeWith().topicFilter("alarms/#").send();
        client.subscribeWith().topicFilter("sites/paris/#").send();
        assertThatThrownBy(
                        () -> client.subscribeWith().topicFilter("sites/rome/#").send())
                .isInstanceOf(Mqtt5SubAckException.class);

        HiveMqGoodbye.disconnect(client);
    }

    @Test
    void aClientIsDisconnectedWhenItsTokenExpires() throws Exception {
        CompletableFuture<Mqtt5DisconnectReasonCode> disconnected = new CompletableFuture<>();
        Instant expiry = in(Duration.ofSeconds(3));
        Mqtt5BlockingClient client = client("jwt-4", "", token("jwt-4", "heddle", expiry), disconnected);
        client.connect();

        assertThat(disconnected.get(20, TimeUnit.SECONDS)).isEqualTo(Mqtt5DisconnectReasonCode.MAXIMUM_CONNECT_TIME);
        assertThat(Instant.now()).isAfterOrEqualTo(Instant.ofEpochSecond(expiry.getEpochSecond()));
    }

    @Test
    void aPasswordThatIsNoTokenIsLeftToTheStoredCredentials() {
        ChangedCredentialsIT.store(USER, "correct horse");

        assertThat(connect("jwt-6", USER, "correct horse")).isEqualTo(Mqtt5ConnAckReasonCode.SUCCESS);
        assertThat(connect("jwt-6", USER, "wrong")).isEqualTo(Mqtt5ConnAckReasonCode.BAD_USER_NAME_OR_PASSWORD);
    }
}
