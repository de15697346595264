package io.heddle.core.session;

import static io.heddle.core.session.AuthExchangeTest.auth;
import static io.heddle.core.session.AuthExchangeTest.data;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.EnhancedMethod.Challenge;
import io.heddle.core.authentication.EnhancedMethod.Step;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.CredentialsVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.testkit.Conformance;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Connected clients that prove their identity again. The method of the tests asks for a word, and accepts "open". */
final class ReauthenticationTest {
    private final TestNode node = new TestNode(
            RulesTest.settings("default deny", "allow all open/# for everyone", "allow all staff/# for group staff"),
            1_000_000);
    private ClientIdentity identity = identity("ada", ClientType.DEVICE, 1);
    private Set<String> groups = Set.of();
    private @Nullable Instant end;

    ReauthenticationTest() {
        node.exchange = (client, data) -> {
            String said = data == null ? "" : new String(data.array(), UTF_8);
            return switch (said) {
                case "open" -> new Accepted(identity, groups, Map.of(), end, data("welcome"));
                case "" -> new Challenge(data("word?"), null);
                case "busy" -> refused(ReasonCode.SERVER_BUSY);
                case "down" -> refused(ReasonCode.SERVER_UNAVAILABLE);
                default -> refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
            };
        };
    }

    private static Step refused(ReasonCode reason) {
        return new Refused(reason, "planted by a test");
    }

    private static ClientIdentity identity(@Nullable String userName, ClientType type, long version) {
        return new ClientIdentity(
                new ClientId("c"), type, userName, false, new CredentialsVersion(new UUID(1, 1), version));
    }

    private TestClient connect() {
        return node.connect(
                new Connect("c").keepAlive(0).method("TEST", data("open")).packet());
    }

    private static AuthPacket again(@Nullable String word) {
        return auth(ReasonCode.RE_AUTHENTICATE, "TEST", word);
    }

    private static AuthPacket answer(String word) {
        return auth(ReasonCode.CONTINUE_AUTHENTICATION, "TEST", word);
    }

    @Conformance({"MQTT-4.12.1-1", "MQTT-4.12.0-5", "MQTT-3.15.2-1"})
    @Test
    void aClientAuthenticatesAgainAndGoesOnMeanwhile() {
        TestClient client = connect().subscribe(QoS.AT_LEAST_ONCE, "open/#");

        client.send(again(null));
        client.publish("open/x", "meanwhile", QoS.AT_LEAST_ONCE, 1);
        assertThat(client.payloads()).containsExactly("meanwhile");
        assertThat(client.connection().sent(PubAckPacket.class)).hasSize(1);
        client.send(answer("open"));

        assertThat(client.connection().sent(AuthPacket.class))
                .containsExactly(answer("word?"), auth(ReasonCode.SUCCESS, "TEST", "welcome"));
        assertThat(client.connection().isOpen()).isTrue();
        assertThat(node.count("heddle.reauthentications", "outcome", "accepted"))
                .isOne();
        client.send(again("open"));
        assertThat(node.count("heddle.reauthentications", "outcome", "accepted"))
                .isEqualTo(2);
    }

    @Conformance("MQTT-4.12.1-2")
    @ParameterizedTest
    @CsvSource({"wrong, NOT_AUTHORIZED", "busy, SERVER_BUSY", "down, SERVER_BUSY"})
    void aFailedReauthenticationDisconnectsTheClient(String word, ReasonCode reason) {
        TestClient client = connect();
        client.send(again(null));
        client.send(answer(word));

        assertThat(client.disconnected()).containsExactly(reason);
        assertThat(client.connection().isOpen()).isFalse();
        client.lose();
        assertThat(node.lines.all()).last().asString().contains("the re-authentication has failed");
    }

    @ParameterizedTest
    @CsvSource({"bob, DEVICE", "ada, APPLICATION", ", DEVICE"})
    void anotherIdentityFails(@Nullable String userName, ClientType type) {
        TestClient client = connect();
        identity = identity(userName, type, 1);

        client.send(again("open"));

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(client.connection().sent(AuthPacket.class)).isEmpty();
        assertThat(node.count("heddle.reauthentications", "outcome", "other_identity"))
                .isOne();
    }

    @Test
    void aClientWhoseMethodWasRemovedIsDisconnectedWhenItAuthenticatesAgain() {
        TestClient client = connect();
        node.hasEnhancedMethod = false;

        client.send(again("open"));

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(node.count("heddle.reauthentications", "outcome", "method")).isOne();
    }

    @Conformance("MQTT-4.12.1-1")
    @Test
    void theMethodAndTheReasonCodeMustFit() {
        TestClient client = connect();

        client.sendForbidden(auth(ReasonCode.RE_AUTHENTICATE, "OTHER", "open"), ReasonCode.PROTOCOL_ERROR);
        client.sendForbidden(answer("open"), ReasonCode.PROTOCOL_ERROR);
        client.sendForbidden(auth(ReasonCode.SUCCESS, null, null), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void aSecondReauthenticationDuringOneIsAProtocolError() {
        TestClient deciding = connect().unsettled();
        deciding.send(again(null));
        deciding.sendForbidden(again(null), ReasonCode.PROTOCOL_ERROR);
        node.runAll();

        deciding.sendForbidden(again(null), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void aClientThatDoesNotAnswerIsDisconnected() {
        TestClient client = connect();
        client.send(again(null));
        client.publish("open/x", "still here");
        node.advance(IdentityProof.ANSWER_LIMIT.minusMillis(1));
        assertThat(client.disconnected()).isEmpty();

        node.advance(Duration.ofMillis(1));

        assertThat(client.disconnected()).containsExactly(ReasonCode.NOT_AUTHORIZED);
        assertThat(node.count("heddle.reauthentications", "outcome", "timeout")).isOne();
    }

    @Test
    void aConnectionLostDuringAReauthenticationLeavesNothing() {
        TestClient awaited = connect();
        awaited.send(again(null));
        awaited.lose();
        assertThat(node.loop.timers()).isZero();

        TestClient deciding = connect();
        deciding.unsettled().send(again("open"));
        deciding.lose();

        assertThat(node.loop.timers()).isZero();
        assertThat(deciding.connection().sent(AuthPacket.class)).isEmpty();
    }

    @Test
    void theEndOfTheProofMoves() {
        Instant start = Instant.ofEpochMilli(node.clock.millis());
        end = start.plusSeconds(10);
        TestClient client = connect();
        end = start.plusSeconds(30);
        client.send(again("open"));

        node.advance(Duration.ofSeconds(29));
        assertThat(client.disconnected()).isEmpty();
        node.advance(Duration.ofSeconds(1));

        assertThat(client.disconnected()).containsExactly(ReasonCode.MAXIMUM_CONNECT_TIME);
    }

    @Test
    void theEndOfTheProofMayGo() {
        end = Instant.ofEpochMilli(node.clock.millis()).plusSeconds(10);
        TestClient client = connect();
        end = null;
        client.send(again("open"));

        node.advance(Duration.ofMinutes(5));

        assertThat(client.disconnected()).isEmpty();
    }

    @Test
    void newGroupsTakeEffect() {
        TestClient client = connect();
        client.publish("staff/x", "1", QoS.AT_LEAST_ONCE, 1);
        groups = Set.of("staff");
        client.send(again("open"));
        client.publish("staff/x", "2", QoS.AT_LEAST_ONCE, 2);
        client.subscribe(QoS.AT_LEAST_ONCE, "staff/#");
        groups = Set.of();
        client.send(again("open"));

        assertThat(client.connection().sent(PubAckPacket.class))
                .extracting(PubAckPacket::reason)
                .containsExactly(ReasonCode.NOT_AUTHORIZED, ReasonCode.NO_MATCHING_SUBSCRIBERS);
        assertThat(client.disconnected())
                .as("the rules say that a client is disconnected that loses a subscription")
                .containsExactly(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void theClientHasTheCredentialsOfItsLastProof() {
        TestClient client = connect();
        identity = identity("ada", ClientType.DEVICE, 2);
        client.send(again("open"));

        assertThat(node.sessions.find(identity.clientId()))
                .extracting(ClientSession::identity)
                .isEqualTo(identity);
        assertThat(client.disconnected()).isEmpty();
    }
}
