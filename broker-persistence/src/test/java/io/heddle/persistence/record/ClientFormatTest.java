package io.heddle.persistence.record;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.ClientChange;
import io.heddle.core.session.persistent.ClientChange.OfEpoch;
import io.heddle.core.session.persistent.ClientChange.OfRoute;
import io.heddle.core.session.persistent.ClientChange.OfSession;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

class ClientFormatTest {
    private static final ClientId PUMP = new ClientId("pump-1");
    private static final Route ROUTE =
            new Route(PUMP, "$share/g/plant/+/#", 1_700_000_000_000_000L, QoS.EXACTLY_ONCE, true, true, 268_435_455);
    private static final Route PLAIN_ROUTE = new Route(PUMP, "a", 1, QoS.AT_MOST_ONCE, false, false, 0);
    private static final SessionRecord SESSION = new SessionRecord(
            1_700_000_000_000_000L,
            ClientType.APPLICATION,
            "ann",
            4_294_967_295L,
            "node-1.17",
            1_700_000_000_000_001L,
            0);
    private static final SessionRecord AWAY =
            new SessionRecord(1, ClientType.DEVICE, null, 3_600, "", 2, 1_700_000_000_000L);

    private static final String WILL_PAYLOAD = "gone";
    private static final SessionRecord WITH_WILL = new SessionRecord(
            1,
            ClientType.DEVICE,
            null,
            3_600,
            "",
            2,
            1_700_000_000_000L,
            new WillMessage(
                    TopicName.parse("plant/1/status", 8),
                    BinaryData.wrap(WILL_PAYLOAD.getBytes(StandardCharsets.UTF_8)),
                    QoS.AT_LEAST_ONCE,
                    false,
                    30,
                    PublishProperties.NONE));
    private static final SessionRecord WITH_FULL_WILL = new SessionRecord(
            1_700_000_000_000_000L,
            ClientType.APPLICATION,
            "ann",
            4_294_967_295L,
            "node-1.17",
            1_700_000_000_000_001L,
            0,
            new WillMessage(
                    TopicName.parse("plant/1/status", 8),
                    BinaryData.wrap(WILL_PAYLOAD.getBytes(StandardCharsets.UTF_8)),
                    QoS.EXACTLY_ONCE,
                    true,
                    4_294_967_295L,
                    MessageFormatTest.FULL.properties()));

    private static final RouteKey ROUTE_KEY = ROUTE.key();

    @Test
    void theFormatOfRoutesIsStable() {
        golden("route-key-v1", ClientFormat.key(new OfRoute(ROUTE_KEY, ROUTE)));
        golden("route-v1", value(new OfRoute(ROUTE_KEY, ROUTE)));
        isReadBack(new OfRoute(ROUTE_KEY, ROUTE));
        isReadBack(new OfRoute(PLAIN_ROUTE.key(), PLAIN_ROUTE));
    }

    @Test
    void theFormatOfSessionsIsStable() {
        golden("session-key-v1", ClientFormat.key(new OfSession(PUMP, SESSION)));
        golden("session-v2", value(new OfSession(PUMP, SESSION)));
        golden("session-away-v2", value(new OfSession(PUMP, AWAY)));
        golden("session-will-v2", value(new OfSession(PUMP, WITH_WILL)));
        golden("session-full-will-v2", value(new OfSession(PUMP, WITH_FULL_WILL)));
        isReadBack(new OfSession(PUMP, SESSION));
        isReadBack(new OfSession(PUMP, AWAY));
        isReadBack(new OfSession(PUMP, WITH_WILL));
        isReadBack(new OfSession(PUMP, WITH_FULL_WILL));
    }

    @Test
    void theFormatOfEpochsIsStable() {
        OfEpoch epoch = new OfEpoch(1_700_000_000_000_000L);
        golden("epoch-key-v1", ClientFormat.key(epoch));
        golden("epoch-v1", value(epoch));
        isReadBack(epoch);
        isNamed(epoch, "an epoch of version 9");
        cutOff(epoch, 0);
        assertThatThrownBy(() -> ClientFormat.read(reader(ClientFormat.key(epoch)), null))
                .hasMessageContaining("an epoch without value");
    }

    @Test
    void sessionsOfANodeShareItsIncarnation() {
        OfSession first = (OfSession) readBack(new OfSession(PUMP, SESSION));
        OfSession second = (OfSession) readBack(new OfSession(PUMP, SESSION));

        assertThat(requireNonNull(first.session()).owner())
                .isSameAs(requireNonNull(second.session()).owner());
    }

    @Test
    void sessionsOfTheFirstVersionAreReadInBackupsOnly() {
        byte[] key = ClientFormat.key(new OfSession(PUMP, null));
        Map.of("session-v1", SESSION, "session-away-v1", AWAY).forEach((name, session) -> {
            byte[] stored = Golden.bytes(name);
            assertThatThrownBy(() -> ClientFormat.read(reader(key), reader(stored)))
                    .hasMessageContaining("a session of version 1, and this build of Heddle reads only version 2");
            assertThat(ClientFormat.read(reader(key), reader(ClientFormat.ofBackup(reader(key), stored))))
                    .isEqualTo(new OfSession(PUMP, session));
        });
        assertThat(ClientFormat.ofBackup(
                        reader(ClientFormat.key(new OfRoute(ROUTE_KEY, null))), Golden.bytes("route-v1")))
                .isEqualTo(Golden.bytes("route-v1"));
    }

    @Test
    void aRecordWithoutValueRemovesItsKey() {
        for (ClientChange removal : List.of(new OfRoute(ROUTE_KEY, null), new OfSession(PUMP, null))) {
            assertThat(ClientFormat.value(removal)).isNull();
            assertThat(ClientFormat.read(reader(ClientFormat.key(removal)), null))
                    .isEqualTo(removal);
        }
    }

    @Test
    void aTruncatedRecordNamesItsLocation() {
        cutOff(new OfRoute(ROUTE_KEY, ROUTE), 0);
        cutOff(new OfSession(PUMP, SESSION), 0);
        cutOff(new OfSession(PUMP, AWAY), 0);
        // A truncated payload is a valid shorter payload.
        cutOff(new OfSession(PUMP, WITH_WILL), WILL_PAYLOAD.length());
    }

    @Test
    void aTooLongTextIsRejected() {
        byte[] key = ClientFormat.key(new OfRoute(ROUTE_KEY, ROUTE));
        assertThatThrownBy(() -> ClientFormat.read(reader(Arrays.copyOf(key, key.length + 1)), null))
                .hasMessageEndingWith("1 bytes too many");
        OfSession away = new OfSession(PUMP, AWAY);
        byte[] value = value(away);
        assertThatThrownBy(() -> ClientFormat.read(
                        reader(ClientFormat.key(away)), reader(Arrays.copyOf(value, value.length + 2))))
                .hasMessageEndingWith("2 bytes too many");
    }

    @Test
    void malformedRecordsAreRejected() {
        byte[] unknown = ClientFormat.key(new OfRoute(ROUTE_KEY, ROUTE));
        unknown[1] = 4;
        assertThatThrownBy(() -> ClientFormat.read(reader(unknown), null)).hasMessageContaining("of kind 4");
        assertThatThrownBy(() -> ClientFormat.read(
                        reader(new BinaryWriter().u8(1).u8(1).text("a").text("").toBytes()), null))
                .hasMessageEndingWith("without topic filter");
        for (int kind : new int[] {1, 2}) {
            byte[] nameless =
                    new BinaryWriter().u8(1).u8(kind).text("").text("a").toBytes();
            assertThatThrownBy(() -> ClientFormat.read(reader(nameless), null))
                    .hasMessageEndingWith("without client id");
        }
        OfRoute route = new OfRoute(ROUTE_KEY, ROUTE);
        byte[] identifier = value(route);
        identifier[identifier.length - 4] = 0x7f;
        assertThatThrownBy(() -> ClientFormat.read(reader(ClientFormat.key(route)), reader(identifier)))
                .hasMessageContaining("Subscription Identifier");
    }

    @Test
    void anotherVersionIsNamed() {
        isNamed(new OfRoute(ROUTE_KEY, ROUTE), "a route of version 9");
        isNamed(new OfSession(PUMP, AWAY), "a session of version 9");
        byte[] key = ClientFormat.key(new OfSession(PUMP, AWAY));
        key[0] = 9;
        assertThatThrownBy(() -> ClientFormat.read(reader(key), null))
                .hasMessageContaining("a client's record of version 9");
    }

    private static void isNamed(ClientChange change, String sentence) {
        byte[] later = value(change);
        later[0] = 9;
        assertThatThrownBy(() -> ClientFormat.read(reader(ClientFormat.key(change)), reader(later)))
                .hasMessageContaining(sentence);
    }

    private static void cutOff(ClientChange change, int anyLength) {
        byte[] key = ClientFormat.key(change);
        Truncated.assertUnreadable(key, cut -> ClientFormat.read(reader(cut), null));
        byte[] value = value(change);
        Truncated.assertUnreadable(
                value,
                value.length - anyLength,
                cut -> ClientFormat.read(reader(key), reader(cut)),
                "heddle.clients, partition 1, offset 2 is unreadable: ");
    }

    private static void isReadBack(ClientChange change) {
        assertThat(readBack(change)).isEqualTo(change);
    }

    private static ClientChange readBack(ClientChange change) {
        return ClientFormat.read(reader(ClientFormat.key(change)), reader(value(change)));
    }

    private static byte[] value(ClientChange change) {
        return requireNonNull(ClientFormat.value(change));
    }

    private static void golden(String name, byte[] bytes) {
        assertThat(Golden.hex(bytes)).as(name).isEqualTo(Golden.hex(Golden.bytes(name)));
    }

    private static RecordReader reader(byte[] bytes) {
        return new RecordReader(bytes, () -> "heddle.clients, partition 1, offset 2");
    }
}
