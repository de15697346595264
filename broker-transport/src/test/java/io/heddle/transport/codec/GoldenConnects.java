package io.heddle.transport.codec;

import static io.heddle.core.mqtt.MqttVersion.V3_1;
import static io.heddle.core.mqtt.MqttVersion.V3_1_1;
import static io.heddle.core.mqtt.MqttVersion.V5;
import static io.heddle.core.mqtt.ReasonCode.*;
import static io.heddle.transport.codec.Golden.Phase.CLIENT;
import static io.heddle.transport.codec.Golden.Phase.FIRST;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.nio.charset.StandardCharsets;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** CONNECT, and invalid first packets. */
final class GoldenConnects {
    private GoldenConnects() {}

    static List<Golden> rows() {
        return List.of(
                // Full bytes written by hand, which also check the lengths computed by the notation.
                valid(
                        "smallest CONNECT",
                        V3_1_1,
                        "10 0E 0004 4D515454 04 02 003C 0002 6331",
                        connect(V3_1_1, "c1", true, 60)),
                valid(
                        "smallest CONNECT",
                        V3_1,
                        "10 10 0006 4D5149736470 03 02 003C 0002 6331",
                        connect(V3_1, "c1", true, 60)),
                valid(
                        "smallest CONNECT",
                        V5,
                        "10 0F 0004 4D515454 05 02 003C 00 0002 6331",
                        connect(V5, "c1", true, 60)),
                valid(
                        "a session to keep, no keep alive, no client id",
                        V5,
                        "10 { <MQTT> 05 00 0000 {} <> }",
                        connect(V5, "", false, 0)),
                valid(
                        "will, user name and password",
                        V3_1_1,
                        "10 { <MQTT> 04 EE FFFF <c> <w/t> <gone> <ann> <pw> }",
                        connect(V3_1_1, "c", true, 65_535, will(QoS.AT_LEAST_ONCE, true), "ann", binary("pw"))),
                valid(
                        "will at QoS 2 that is not retained",
                        V3_1,
                        "10 { <MQIsdp> 03 16 0000 <c> <w/t> <gone> }",
                        connect(V3_1, "c", true, 0, will(QoS.EXACTLY_ONCE, false), null, null)),
                valid(
                        "a password alone",
                        V5,
                        "10 { <MQTT> 05 42 0000 {} <c> <pw> }",
                        connect(V5, "c", true, 0, null, null, binary("pw"))),
                valid(
                        "a client id in more than one byte a character",
                        V5,
                        "10 { <MQTT> 05 02 0000 {} <fühler-温度-🌡> }",
                        connect(V5, "fühler-温度-🌡", true, 0)),
                alsoValid(
                        "flags that announce a user name and a password which are not there",
                        V3_1,
                        "10 { <MQIsdp> 03 C2 0000 <c> }",
                        connect(V3_1, "c", true, 0)),
                valid("every property", V5, everyProperty(), everyPropertyPacket()),
                alsoValid(
                        "properties that say the default",
                        V5,
                        "10 { <MQTT> 05 02 0000 { 11 00000000 21 FFFF 22 0000 19 00 17 01 } <c> }",
                        connect(V5, "c", true, 0)),
                refused("PINGREQ first", V5, "C0 00", PROTOCOL_ERROR),
                refused("PUBLISH first", V5, "30 { <t> 'x' }", PROTOCOL_ERROR),
                refused("CONNACK first", V5, "20 02 00 00", PROTOCOL_ERROR),
                refused("HTTP first", V5, "'GET / HTTP/1.1' 0D0A", PROTOCOL_ERROR),
                refused("TLS first", V5, "16 03 01 00F8 01", PROTOCOL_ERROR),
                refused("packet type 0", V5, "00 00", MALFORMED_PACKET),
                alsoValid(
                        "flags in 3.1's fixed header, which have no meaning",
                        V3_1,
                        "1B { <MQIsdp> 03 02 003C <c1> }",
                        connect(V3_1, "c1", true, 60)),
                alsoValid(
                        "3.1's unused connect flag",
                        V3_1,
                        "10 { <MQIsdp> 03 03 003C <c1> }",
                        connect(V3_1, "c1", true, 60)),
                refused("fixed header flags", V3_1_1, "14 { <MQTT> 04 02 0000 <c> }", MALFORMED_PACKET),
                refused("fixed header flags", V5, "11 { <MQTT> 05 02 0000 {} <c> }", MALFORMED_PACKET),
                refused("a CONNECT above its limit", V5, "10 FE 02 0004", PACKET_TOO_LARGE),
                refused("a remaining length of five bytes", V5, "10 80 80 80 80 01", MALFORMED_PACKET),
                refused("a remaining length that is too long", V5, "10 80 00", MALFORMED_PACKET),
                Golden.refused("a second CONNECT", V5, CLIENT, "10 { <MQTT> 05 02 0000 {} <c> }", PROTOCOL_ERROR),
                Golden.refused("a second CONNECT", V3_1_1, CLIENT, "10 { <MQTT> 04 02 0000 <c> }", PROTOCOL_ERROR),
                refused("a later level", V3_1_1, "10 { <MQTT> 06 02 0000 {} <c> }", UNSUPPORTED_PROTOCOL_VERSION),
                refused(
                        "3.1's name, a later level",
                        V3_1_1,
                        "10 { <MQIsdp> 07 02 0000 <c> }",
                        UNSUPPORTED_PROTOCOL_VERSION),
                refused(
                        "3.1's name, an earlier level",
                        V3_1_1,
                        "10 { <MQIsdp> 01 02 0000 <c> }",
                        UNSUPPORTED_PROTOCOL_VERSION),
                refused("an earlier level", V3_1_1, "10 { <MQTT> 03 02 0000 <c> }", UNSUPPORTED_PROTOCOL_VERSION),
                refused("level 0", V3_1_1, "10 { <MQTT> 00 02 0000 <c> }", UNSUPPORTED_PROTOCOL_VERSION),
                refused("a bridge's level", V3_1_1, "10 { <MQTT> 84 02 0000 <c> }", UNSUPPORTED_PROTOCOL_VERSION),
                refused("another name", V3_1_1, "10 { <MQTX> 04 02 0000 <c> }", UNSUPPORTED_PROTOCOL_VERSION),
                refused(
                        "3.1's name, 5's level",
                        V3_1_1,
                        "10 { <MQIsdp> 05 02 0000 <c> }",
                        UNSUPPORTED_PROTOCOL_VERSION),
                refused("the reserved flag", V5, "10 { <MQTT> 05 03 0000 {} <c> }", MALFORMED_PACKET),
                refused("the reserved flag", V3_1_1, "10 { <MQTT> 04 03 0000 <c> }", MALFORMED_PACKET),
                refused("will QoS without a will", V5, "10 { <MQTT> 05 0A 0000 {} <c> }", MALFORMED_PACKET),
                refused("will retain without a will", V3_1_1, "10 { <MQTT> 04 22 0000 <c> }", MALFORMED_PACKET),
                refused("will QoS 3", V5, "10 { <MQTT> 05 1E 0000 {} <c> {} <t> <x> }", MALFORMED_PACKET),
                refused("a password alone", V3_1_1, "10 { <MQTT> 04 42 0000 <c> <pw> }", MALFORMED_PACKET),
                refused("a password alone", V3_1, "10 { <MQIsdp> 03 42 0000 <c> <pw> }", MALFORMED_PACKET),
                refused("a will that is missing", V3_1_1, "10 { <MQTT> 04 06 0000 <c> }", MALFORMED_PACKET),
                refused("a user name that is missing", V3_1_1, "10 { <MQTT> 04 82 0000 <c> }", MALFORMED_PACKET),
                refused(
                        "a password that is missing",
                        V3_1,
                        "10 { <MQIsdp> 03 C2 0000 <c> 0003 'pw' }",
                        MALFORMED_PACKET),
                refused("no client id", V3_1_1, "10 { <MQTT> 04 02 0000 }", MALFORMED_PACKET),
                refused("bytes behind the end", V3_1_1, "10 { <MQTT> 04 02 0000 <c> 00 }", MALFORMED_PACKET),
                refused(
                        "a wildcard in the will's topic",
                        V5,
                        "10 { <MQTT> 05 06 0000 {} <c> {} <t/#> <x> }",
                        TOPIC_NAME_INVALID),
                refused("an empty will topic", V3_1_1, "10 { <MQTT> 04 06 0000 <c> <> <x> }", TOPIC_NAME_INVALID),
                refused("U+0000 in the client id", V5, "10 { <MQTT> 05 02 0000 {} 0003 61 00 62 }", MALFORMED_PACKET),
                refused("an overlong form", V5, "10 { <MQTT> 05 02 0000 {} 0002 C0 AF }", MALFORMED_PACKET),
                refused("an overlong form of three", V5, "10 { <MQTT> 05 02 0000 {} 0003 E0 9F BF }", MALFORMED_PACKET),
                refused(
                        "an overlong form of four",
                        V5,
                        "10 { <MQTT> 05 02 0000 {} 0004 F0 8F BF BF }",
                        MALFORMED_PACKET),
                refused("a surrogate", V5, "10 { <MQTT> 05 02 0000 {} 0003 ED A0 80 }", MALFORMED_PACKET),
                refused("above U+10FFFF", V5, "10 { <MQTT> 05 02 0000 {} 0004 F4 90 80 80 }", MALFORMED_PACKET),
                refused("a character cut off", V3_1_1, "10 { <MQTT> 04 02 0000 0002 61 C3 }", MALFORMED_PACKET),
                refused("a lone continuation", V3_1_1, "10 { <MQTT> 04 02 0000 0001 80 }", MALFORMED_PACKET),
                refused(
                        "a byte that UTF-8 never has",
                        V3_1_1,
                        "10 { <MQTT> 04 02 0000 0009 'abcdefgh' FF }",
                        MALFORMED_PACKET),
                refusedProperty("a property twice", "11 00000001 11 00000002", PROTOCOL_ERROR),
                refusedProperty("an unknown property", "7F 00", MALFORMED_PACKET),
                refusedProperty("a property of PUBLISH", "01 00", MALFORMED_PACKET),
                refusedProperty("a property identifier of five bytes", "FF FF FF FF 01", MALFORMED_PACKET),
                refusedProperty("a property cut off by the properties' end", "11 0000", MALFORMED_PACKET),
                refusedProperty("receive maximum 0", "21 0000", PROTOCOL_ERROR),
                refusedProperty("maximum packet size 0", "27 00000000", PROTOCOL_ERROR),
                refusedProperty("a flag that is 2", "17 02", PROTOCOL_ERROR),
                refusedProperty("authentication data without a method", "16 <x>", PROTOCOL_ERROR),
                refusedProperty("four user properties", "26 <a> <b> 26 <a> <b> 26 <a> <b> 26 <a> <b>", QUOTA_EXCEEDED),
                refused("properties beyond the packet", V5, "10 { <MQTT> 05 02 0000 7F <c> }", MALFORMED_PACKET),
                refused(
                        "an unknown will property",
                        V5,
                        "10 { <MQTT> 05 06 0000 {} <c> { 11 00000001 } <t> <x> }",
                        MALFORMED_PACKET),
                refused(
                        "a will property twice",
                        V5,
                        "10 { <MQTT> 05 06 0000 {} <c> { 18 00000001 18 00000001 } <t> <x> }",
                        PROTOCOL_ERROR));
    }

    private static Golden valid(String name, MqttVersion version, String notation, MqttPacket packet) {
        return Golden.valid(name, version, FIRST, notation, packet);
    }

    private static Golden alsoValid(String name, MqttVersion version, String notation, MqttPacket packet) {
        return Golden.alsoValid(name, version, FIRST, notation, packet);
    }

    private static Golden refused(String name, MqttVersion version, String notation, ReasonCode error) {
        return Golden.refused(name, version, FIRST, notation, error);
    }

    private static ConnectPacket connect(MqttVersion version, String clientId, boolean cleanStart, int keepAlive) {
        return connect(version, clientId, cleanStart, keepAlive, null, null, null);
    }

    private static Golden refusedProperty(String name, String property, ReasonCode error) {
        return refused(name, V5, "10 { <MQTT> 05 02 0000 { " + property + " } <c> }", error);
    }

    private static String everyProperty() {
        return "10 { <MQTT> 05 F6 0001 { 11 FFFFFFFF 21 0001 27 00000100 22 FFFF 19 01 17 00 26 <k> <v> 26 <k> <> 15 <SCRAM>"
                + " 16 <d> } <c> { 18 0000000A 01 01 02 00000E10 03 <text> 08 <r> 09 <id> 26 <wk> <wv> } <w/t> <gone> <u> <p> }";
    }

    private static ConnectPacket everyPropertyPacket() {
        return new ConnectPacket(
                V5,
                "c",
                true,
                1,
                new WillMessage(
                        TopicName.parse("w/t", 4),
                        binary("gone"),
                        QoS.EXACTLY_ONCE,
                        true,
                        10,
                        new PublishProperties(
                                3600,
                                true,
                                "text",
                                TopicName.parse("r", 4),
                                binary("id"),
                                List.of(new UserProperty("wk", "wv")))),
                "u",
                binary("p"),
                new ConnectProperties(
                        4_294_967_295L,
                        1,
                        256,
                        65_535,
                        true,
                        false,
                        List.of(new UserProperty("k", "v"), new UserProperty("k", "")),
                        "SCRAM",
                        binary("d")));
    }

    private static WillMessage will(QoS qos, boolean retain) {
        return new WillMessage(TopicName.parse("w/t", 4), binary("gone"), qos, retain, 0, PublishProperties.NONE);
    }

    private static ConnectPacket connect(
            MqttVersion version,
            String clientId,
            boolean cleanStart,
            int keepAlive,
            @Nullable WillMessage will,
            @Nullable String userName,
            @Nullable BinaryData password) {
        return new ConnectPacket(
                version, clientId, cleanStart, keepAlive, will, userName, password, ConnectProperties.NONE);
    }

    static BinaryData binary(String text) {
        return BinaryData.wrap(text.getBytes(StandardCharsets.UTF_8));
    }
}
