package io.heddle.core.session;

import static org.assertj.core.api.Assertions.assertThat;

import io.heddle.core.StoreUnavailableException;
import io.heddle.core.authentication.AuthenticationOutcome;
import io.heddle.core.authentication.AuthenticationOutcome.Accepted;
import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientIdentity;
import io.heddle.core.client.ClientType;
import io.heddle.core.client.DisconnectCause;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.junit.jupiter.api.Test;

/** Each refusal, takeover and dropped message is a line that names the client. */
final class IncidentsTest {
    private static final String CLIENT = "clientId=c, userName=u, address=localhost/127.0.0.1:50000";

    private final TestNode node = new TestNode();

    private TestClient connectAsUser() {
        node.authenticator =
                shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()));
        return node.connect(new Connect("c").userName("u").packet());
    }

    @Test
    void aRefusedClientIsNamedAsItNamedItself() {
        node.authenticator =
                _ -> new AuthenticationOutcome.Refused(ReasonCode.BAD_USER_NAME_OR_PASSWORD, "no matching credentials");

        node.connect(new Connect("c").userName("u").packet());

        assertThat(node.lines.only())
                .startsWith("INFO Refused CONNECT: reason=bad_user_name_or_password, detail=no matching credentials, "
                        + CLIENT)
                .endsWith(", listener=mqtt");
    }

    @Test
    void aClientWithoutAnIdIsNamedByItsAddress() {
        node.connect(new Connect("").version(MqttVersion.V3_1).packet());

        assertThat(node.lines.only())
                .startsWith("INFO Refused CONNECT: reason=client_identifier_not_valid, detail=the client id is empty")
                .contains(", address=localhost/127.0.0.1:50000")
                .doesNotContain("clientId=");
    }

    @Test
    void theClientOfASessionOfAnotherUserIsNamedWithTheRemedy() {
        connectAsUser();

        node.connect(new Connect("c").userName("other").packet());

        assertThat(node.lines.only())
                .startsWith("INFO Refused CONNECT: reason=not_authorized, detail=the client id has a session of another"
                        + " user")
                .contains("clientId=c, userName=other, address=");
    }

    @Test
    void aRefusalByALimitIsOneLine() {
        for (int i = 0; i < 6; i++) {
            node.connect(new Connect("c" + i).userName("u").packet());
        }

        assertThat(node.lines.only())
                .startsWith("INFO A client exceeds a limit")
                .contains("setting=heddle.session.maximum-sessions, limit=5, refused=a connection, clientId=c5, ");
    }

    @Test
    void aTakeoverNamesBothConnections() {
        connectAsUser();

        node.connect(new Connect("c").userName("u").packet());

        assertThat(node.lines.only())
                .startsWith("INFO A client has connected again, which closes its earlier connection")
                .contains(CLIENT)
                .contains(", newAddress=localhost/127.0.0.1:50000");
    }

    @Test
    void droppedMessagesOfASlowClient() {
        TestClient slow = connectAsUser().subscribe(QoS.AT_MOST_ONCE, "t");
        TestClient publisher = node.connect("publisher");
        slow.connection().writable(false);
        publisher.publish("t", "1");
        publisher.publish("t", "2");

        assertThat(node.dropped("slow_consumer")).isEqualTo(2);
        assertThat(node.lines.only())
                .startsWith("INFO Dropped a message: reason=slow_consumer")
                .contains("heddle.mqtt.burst-limit")
                .contains(CLIENT);
    }

    @Test
    void messagesThatAreTooLargeForTheClient() {
        TestClient small = connectAsUser().subscribe(QoS.AT_LEAST_ONCE, "t");
        small.connection().refusePackets();
        TestClient publisher = node.connect("publisher");

        publisher.publish("t", "qos 0");
        publisher.publish("t", "qos 1", QoS.AT_LEAST_ONCE, 1);

        assertThat(node.dropped("packet_too_large")).isEqualTo(2);
        assertThat(node.lines.only())
                .startsWith("INFO Dropped a message: reason=packet_too_large")
                .contains(CLIENT);
    }

    @Test
    void messagesThatTheClientRefuses() {
        TestClient client = connectAsUser().subscribe(QoS.AT_LEAST_ONCE, "t");
        node.connect("publisher").publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        client.send(new PubAckPacket(
                client.messages().getFirst().packetId(), ReasonCode.UNSPECIFIED_ERROR, null, List.of()));

        assertThat(node.lines.only())
                .startsWith("INFO Dropped a message: reason=refused_by_client")
                .contains(CLIENT);
    }

    @Test
    void messagesThatTheClientMayNotPublish() {
        connectAsUser().publish("$SYS/broker/version", "mine", QoS.AT_LEAST_ONCE, 1);

        assertThat(node.lines.only())
                .startsWith("INFO Dropped a message: reason=not_authorized")
                .contains(CLIENT);
    }

    @Test
    void messagesThatCannotBeStored() {
        node.connect(new Connect("p").persistent(60).packet()).subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = connectAsUser();
        node.log.failNextWith(new StoreUnavailableException("no answer", null));

        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);

        assertThat(node.dropped("append_failed")).isOne();
        assertThat(node.lines.only())
                .startsWith("INFO Dropped a message: reason=append_failed")
                .contains(CLIENT);
    }

    @Test
    void ordinaryClientsLeaveNoLines() {
        TestClient subscriber = connectAsUser().subscribe(QoS.AT_LEAST_ONCE, "t");
        TestClient publisher = node.connect("publisher");
        publisher.publish("t", "m", QoS.AT_LEAST_ONCE, 1);
        subscriber.pubAck(subscriber.messages().getFirst().packetId());
        subscriber.disconnect();
        publisher.disconnect();

        assertThat(node.lines.all()).isEmpty();
    }

    private Disconnection lastOf(String clientId) {
        return Objects.requireNonNull(
                new SessionAdministration(node.sessions).lastDisconnection(new ClientId(clientId)));
    }

    @Test
    void aSilentClientIsALineAndItsEndIsRemembered() {
        node.authenticator =
                shown -> new Accepted(new ClientIdentity(shown.clientId(), ClientType.DEVICE, shown.userName()));
        TestClient client =
                node.connect(new Connect("c").userName("u").keepAlive(10).packet());

        node.advance(Duration.ofSeconds(15));
        client.closed();

        assertThat(node.lines.only())
                .startsWith("INFO The connection of a client has ended: reason=keep_alive_timeout, detail=no packet"
                        + " arrived in one and a half times the Keep Alive of 10 s, " + CLIENT)
                .endsWith(", listener=mqtt");
        assertThat(lastOf("c").cause().reason()).isEqualTo("keep_alive_timeout");
        assertThat(lastOf("c").client().identity().userName()).isEqualTo("u");
        assertThat(lastOf("c").millis()).isEqualTo(node.clock.millis());
    }

    @Test
    void aLostConnectionIsALineForEachCause() {
        connectAsUser().closed();
        connectAsUser().closed();
        connectAsUser()
                .connected()
                .onConnectionLost(DisconnectCause.reset(new IOException("Connection reset by peer")));

        assertThat(node.lines.all())
                .extracting(line -> line.replaceAll(".*: reason=(.*), detail=.*", "$1"))
                .containsExactly("closed_without_disconnect", "connection_reset");
        assertThat(lastOf("c").cause().detail()).isEqualTo("Connection reset by peer");
    }

    @Test
    void anOrdinaryDisconnectIsNoLineAndIsRemembered() {
        connectAsUser().disconnect();

        assertThat(node.lines.all()).isEmpty();
        assertThat(lastOf("c").cause().reason()).isEqualTo("disconnect_packet");
        assertThat(lastOf("c").cause().detail()).contains("0x00 (success)");
    }

    @Test
    void aClientThatReportsAnErrorIsALine() {
        TestClient client = connectAsUser();

        client.send(DisconnectPacket.of(ReasonCode.PROTOCOL_ERROR, null));
        client.closed();

        assertThat(node.lines.only()).contains("reason=disconnect_packet").contains("0x82 (protocol_error)");
    }

    @Test
    void aTakeoverIsRememberedWithoutASecondLine() {
        connectAsUser();

        connectAsUser();

        assertThat(node.lines.all()).hasSize(1);
        assertThat(lastOf("c").cause().reason()).isEqualTo("session_taken_over");
    }
}
