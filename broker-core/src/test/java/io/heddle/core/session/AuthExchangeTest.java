package io.heddle.core.session;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.authentication.AuthenticationOutcome.Refused;
import io.heddle.core.authentication.ConnectCredentials;
import io.heddle.core.authentication.EnhancedMethod.Challenge;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.testkit.Conformance;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/** Enhanced authentication behind CONNECT. The method of the tests challenges until the client says "open". */
final class AuthExchangeTest {
    private final TestNode node = new TestNode();
    private final List<ConnectCredentials> shown = new ArrayList<>();

    AuthExchangeTest() {
        node.exchange = (client, data) -> {
            shown.add(client);
            String said = data == null ? "nothing" : new String(data.array(), UTF_8);
            return switch (said) {
                case "open" ->
                    new Accepted(
                            new ClientIdentity(client.clientId(), ClientType.DEVICE, client.userName()),
                            Set.of(),
                            Map.of(),
                            null,
                            data("welcome"));
                case "no" -> new Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "wrong word");
                case "down" -> throw new StoreUnavailableException("the store is down", null);
                case "bug" -> throw new IllegalStateException("planted by a test");
                default -> new Challenge(data(said + "?"), "ada");
            };
        };
    }

    static BinaryData data(String text) {
        return BinaryData.wrap(text.getBytes(UTF_8));
    }

    static AuthPacket auth(ReasonCode reason, @Nullable String method, @Nullable String text) {
        return new AuthPacket(reason, method, text == null ? null : data(text), null, List.of());
    }

    private static AuthPacket answer(String text) {
        return auth(ReasonCode.CONTINUE_AUTHENTICATION, "TEST", text);
    }

    private TestClient connect(@Nullable String text) {
        return node.connect(new Connect("c")
                .method("TEST", text == null ? null : data(text))
                .packet());
    }

    private void send(TestClient client, MqttPacket packet) {
        client.exchanges().getLast().receive(packet);
        node.runAll();
    }

    private static List<AuthPacket> challenges(TestClient client) {
        return client.connection().sent(AuthPacket.class);
    }

    @Conformance({"MQTT-4.12.0-2", "MQTT-4.12.0-5", "MQTT-3.15.2-1"})
    @Test
    void theClientIsChallengedUntilTheMethodDecides() {
        TestClient client = connect(null);
        send(client, answer("hello"));

        assertThat(challenges(client))
                .containsExactly(answer("nothing?"), answer("hello?"))
                .allMatch(each -> each.reason() == ReasonCode.CONTINUE_AUTHENTICATION);
        assertThat(client.established()).isEmpty();
        send(client, answer("open"));

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
        assertThat(client.connAck().properties().authenticationMethod()).isEqualTo("TEST");
        assertThat(client.connAck().properties().authenticationData()).isEqualTo(data("welcome"));
        assertThat(client.connected().userName()).isEqualTo("ada");
        assertThat(node.count("heddle.authentication", "outcome", "accepted")).isOne();
    }

    @Test
    void aMethodMayAcceptTheDataOfConnect() {
        TestClient client = connect("open");

        assertThat(challenges(client)).isEmpty();
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }

    @Test
    void limitsAndLogsSeeTheClaimedUserNameButNotThePassword() {
        TestClient client = connect("hello");
        send(client, answer("no"));

        assertThat(shown).extracting(ConnectCredentials::userName).containsExactly(null, "ada");
        assertThat(shown).extracting(ConnectCredentials::password).containsOnlyNulls();
        assertThat(node.lines.only()).contains("bad_user_name_or_password", "userName=ada");
    }

    @Conformance({"MQTT-4.12.0-4", "MQTT-3.2.2-7"})
    @Test
    void aRefusedClientGetsTheReason() {
        TestClient client = connect("hello");
        send(client, answer("no"));

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.BAD_USER_NAME_OR_PASSWORD);
        assertThat(client.connAck().properties().authenticationMethod()).isNull();
        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.established()).isEmpty();
    }

    @Test
    void withoutAnAnswerOfTheMethodTheClientIsRefused() {
        assertThat(connect("down").connAck().reason()).isEqualTo(ReasonCode.SERVER_UNAVAILABLE);
        assertThat(connect("bug").connAck().reason()).isEqualTo(ReasonCode.UNSPECIFIED_ERROR);
    }

    @Conformance("MQTT-4.12.0-1")
    @Test
    void anUnknownMethodIsRefused() {
        TestClient client =
                node.connect(new Connect("c").method("OTHER", data("open")).packet());

        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.BAD_AUTHENTICATION_METHOD);
        assertThat(client.connection().isOpen()).isFalse();
    }

    @Conformance({"MQTT-4.12.0-6", "MQTT-4.12.0-7"})
    @Test
    void aClientWithoutAMethodGetsNoneAndMaySendNoAuth() {
        TestClient client = node.connect("c");

        assertThat(client.connAck().properties().authenticationMethod()).isNull();
        assertThat(challenges(client)).isEmpty();
        client.sendForbidden(auth(ReasonCode.RE_AUTHENTICATE, "TEST", "open"), ReasonCode.PROTOCOL_ERROR);
    }

    @Conformance("MQTT-3.1.2-30")
    @Test
    void beforeConnAckTheClientMaySendAuthAndDisconnectOnly() {
        TestClient client = connect("hello");

        TestClient.assertForbidden(() -> send(client, PingReqPacket.INSTANCE), ReasonCode.PROTOCOL_ERROR);
        TestClient.assertForbidden(
                () -> send(client, TestClient.packet("t", "x", QoS.AT_MOST_ONCE, 0, false, PublishProperties.NONE)),
                ReasonCode.PROTOCOL_ERROR);
    }

    @Conformance({"MQTT-4.12.0-3", "MQTT-4.12.0-5"})
    @ParameterizedTest
    @EnumSource(names = {"SUCCESS", "RE_AUTHENTICATE"})
    void anAnswerNeedsItsReasonCodeAndTheMethodOfConnect(ReasonCode other) {
        TestClient client = connect("hello");

        TestClient.assertForbidden(() -> send(client, auth(other, "TEST", "open")), ReasonCode.PROTOCOL_ERROR);
        TestClient.assertForbidden(
                () -> send(client, auth(ReasonCode.CONTINUE_AUTHENTICATION, "OTHER", "open")),
                ReasonCode.PROTOCOL_ERROR);
        TestClient.assertForbidden(
                () -> send(client, auth(ReasonCode.CONTINUE_AUTHENTICATION, null, null)), ReasonCode.PROTOCOL_ERROR);
        assertThat(client.connection().sent(ConnAckPacket.class)).isEmpty();
    }

    @Test
    void anAnswerWhileAStepRunsIsAProtocolError() {
        TestClient client = connect("hello");
        client.exchanges().getLast().receive(answer("again"));

        TestClient.assertForbidden(() -> send(client, answer("flood")), ReasonCode.PROTOCOL_ERROR);
    }

    @Test
    void anExchangeHasALimitedNumberOfSteps() {
        TestClient client = connect("hello");
        for (int i = 1; i < 10; i++) {
            send(client, answer("more"));
        }
        assertThat(challenges(client)).hasSize(10);
        send(client, answer("more"));

        assertThat(challenges(client)).hasSize(10);
        assertThat(client.connAck().reason()).isEqualTo(ReasonCode.NOT_AUTHORIZED);
    }

    @Test
    void aClientThatLeavesWhileItIsAwaitedIsGoneAtOnce() {
        TestClient lost = connect("hello");
        lost.connection().lose();
        lost.exchanges().getLast().onConnectionLost();
        lost.exchanges().getLast().onConnectionLost();
        assertThat(node.count("heddle.connects", "outcome", "gone")).isOne();

        TestClient left = connect("hello");
        send(left, DisconnectPacket.of(ReasonCode.SUCCESS, null));

        assertThat(node.count("heddle.connects", "outcome", "gone")).isEqualTo(2);
        assertThat(left.connection().isOpen()).isFalse();
        assertThat(left.connection().sent(ConnAckPacket.class)).isEmpty();
        assertThat(node.sessions.find(new ClientId("c"))).isNull();
        assertThat(node.loop.timers()).isZero();
    }

    @Test
    void aClientThatIsLostDuringAStepGetsNoSession() {
        TestClient client = connect("hello");
        client.exchanges().getLast().receive(answer("open"));
        client.connection().lose();
        client.exchanges().getLast().onConnectionLost();
        node.runAll();

        assertThat(client.established()).isEmpty();
        assertThat(node.count("heddle.connects", "outcome", "gone")).isOne();
        assertThat(node.sessions.find(new ClientId("c"))).isNull();
    }

    @Test
    void aClientThatCannotTakeTheChallengeIsRefused() {
        TestClient client = node.begin(
                node.loop, new Connect("c").method("TEST", data("hello")).packet());
        client.connection().refusePackets();
        node.runAll();

        assertThat(client.connection().isOpen()).isFalse();
        assertThat(client.exchanges()).isEmpty();
        assertThat(node.count("heddle.connects", "outcome", "packet_too_large")).isOne();
    }

    @Test
    void aClientInAnExchangeTakesNoPlaceOfOthers() {
        for (int i = 0; i < 30; i++) {
            node.connect(new Connect("silent" + i).method("TEST", data("hello")).packet());
        }

        assertThat(node.gauge("heddle.authentication.pending")).isZero();
        assertThat(node.connect("c").connAck().reason()).isEqualTo(ReasonCode.SUCCESS);
    }
}
