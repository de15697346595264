package io.heddle.persistence.record;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.heddle.core.client.ClientId;
import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Route;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import org.junit.jupiter.api.Test;

class ChangeFormatTest {
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

    private final RouteFormat routes = new RouteFormat();
    private final SessionFormat sessions = new SessionFormat();
    private final RetainedFormat retained = new RetainedFormat();

    @Test
    void theFormatOfRoutesIsStable() {
        golden("route-key-v1", routes.key(ROUTE.key()));
        golden("route-v1", routes.value(ROUTE));
        assertThat(back(routes, ROUTE.key(), ROUTE)).isEqualTo(ROUTE);
        assertThat(back(routes, PLAIN_ROUTE.key(), PLAIN_ROUTE)).isEqualTo(PLAIN_ROUTE);
    }

    @Test
    void theFormatOfSessionsIsStable() {
        golden("session-key-v1", sessions.key(PUMP));
        golden("session-v2", sessions.value(SESSION));
        golden("session-away-v2", sessions.value(AWAY));
        golden("session-will-v2", sessions.value(WITH_WILL));
        golden("session-full-will-v2", sessions.value(WITH_FULL_WILL));
        assertThat(back(sessions, PUMP, SESSION)).isEqualTo(SESSION);
        assertThat(back(sessions, PUMP, AWAY)).isEqualTo(AWAY);
        assertThat(back(sessions, PUMP, WITH_WILL)).isEqualTo(WITH_WILL);
        assertThat(back(sessions, PUMP, WITH_FULL_WILL)).isEqualTo(WITH_FULL_WILL);
    }

    @Test
    void sessionsOfTheFirstVersionAreStillRead() {
        assertThat(sessions.readValue(PUMP, reader(Golden.bytes("session-v1")))).isEqualTo(SESSION);
        assertThat(sessions.readValue(PUMP, reader(Golden.bytes("session-away-v1"))))
                .isEqualTo(AWAY);
    }

    @Test
    void theFormatOfRetainedMessagesIsStable() {
        TopicName topic = MessageFormatTest.FULL.topic();

        golden("retained-key-v1", retained.key(topic));
        golden("message-full-v1", retained.value(MessageFormatTest.FULL));
        assertThat(back(retained, topic, MessageFormatTest.FULL)).isEqualTo(MessageFormatTest.FULL);
    }

    @Test
    void aTruncatedRecordNamesItsLocation() {
        cutOff(routes, ROUTE.key(), ROUTE);
        cutOff(sessions, PUMP, SESSION);
        cutOff(sessions, PUMP, AWAY);
        // A truncated payload is a valid shorter payload.
        cutOff(sessions, PUMP, WITH_WILL, WILL_PAYLOAD.length());
    }

    @Test
    void aTooLongTextIsRejected() {
        byte[] key = routes.key(ROUTE.key());
        assertThatThrownBy(() -> routes.readKey(reader(Arrays.copyOf(key, key.length + 1))))
                .hasMessageEndingWith("1 bytes too many");
        byte[] value = sessions.value(AWAY);
        assertThatThrownBy(() -> sessions.readValue(PUMP, reader(Arrays.copyOf(value, value.length + 2))))
                .hasMessageEndingWith("2 bytes too many");
    }

    @Test
    void malformedRecordsAreRejected() {
        byte[] ofNode = routes.key(ROUTE.key());
        ofNode[1] = 2;
        assertThatThrownBy(() -> routes.readKey(reader(ofNode))).hasMessageContaining("of kind 2");
        assertThatThrownBy(() -> routes.readKey(
                        reader(new RecordWriter().u8(1).u8(1).text("").text("a").toBytes())))
                .hasMessageEndingWith("without client id or topic filter");
        byte[] identifier = routes.value(ROUTE);
        identifier[identifier.length - 4] = 0x7f;
        assertThatThrownBy(() -> routes.readValue(ROUTE.key(), reader(identifier)))
                .hasMessageContaining("Subscription Identifier");
        assertThatThrownBy(() -> sessions.readKey(
                        reader(new RecordWriter().u8(1).text("").toBytes())))
                .hasMessageEndingWith("without client id");
    }

    @Test
    void aLaterVersionIsNamed() {
        byte[] route = routes.value(ROUTE);
        route[0] = 9;
        assertThatThrownBy(() -> routes.readValue(ROUTE.key(), reader(route)))
                .hasMessageContaining("a route of version 9");
        byte[] session = sessions.value(AWAY);
        session[0] = 9;
        assertThatThrownBy(() -> sessions.readValue(PUMP, reader(session)))
                .hasMessageContaining("a session of version 9");
        byte[] topic = retained.key(MessageFormatTest.FULL.topic());
        topic[0] = 9;
        assertThatThrownBy(() -> retained.readKey(reader(topic)))
                .hasMessageContaining("a retained message of version 9");
    }

    private static <K, V> void cutOff(ChangeFormat<K, V> format, K key, V value) {
        cutOff(format, key, value, 0);
    }

    private static <K, V> void cutOff(ChangeFormat<K, V> format, K key, V value, int anyLength) {
        byte[] keyBytes = format.key(key);
        for (int length = 0; length < keyBytes.length; length++) {
            byte[] cut = Arrays.copyOf(keyBytes, length);
            assertThatThrownBy(() -> format.readKey(reader(cut))).isInstanceOf(UnreadableRecordException.class);
        }
        byte[] valueBytes = format.value(value);
        for (int length = 0; length < valueBytes.length - anyLength; length++) {
            byte[] cut = Arrays.copyOf(valueBytes, length);
            assertThatThrownBy(() -> format.readValue(key, reader(cut)))
                    .isInstanceOf(UnreadableRecordException.class)
                    .hasMessageStartingWith("heddle.routes, partition 1, offset 2 is unreadable: ");
        }
    }

    private static <K, V> V back(ChangeFormat<K, V> format, K key, V value) {
        K readKey = format.readKey(reader(format.key(key)));
        assertThat(readKey).isEqualTo(key);
        return format.readValue(readKey, reader(format.value(value)));
    }

    private static void golden(String name, byte[] bytes) {
        assertThat(Golden.hex(bytes)).as(name).isEqualTo(Golden.hex(Golden.bytes(name)));
    }

    private static RecordReader reader(byte[] bytes) {
        return new RecordReader(bytes, () -> "heddle.routes, partition 1, offset 2");
    }
}
