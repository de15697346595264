package io.heddle.transport.codec;

import static io.heddle.core.mqtt.MqttVersion.V3_1;
import static io.heddle.core.mqtt.MqttVersion.V3_1_1;
import static io.heddle.core.mqtt.MqttVersion.V5;
import static io.heddle.core.mqtt.ReasonCode.*;
import static io.heddle.transport.codec.Golden.Phase.SERVER;
import static io.heddle.transport.codec.Golden.alsoValid;
import static io.heddle.transport.codec.Golden.refused;
import static io.heddle.transport.codec.Golden.valid;
import static io.heddle.transport.codec.GoldenConnects.binary;

import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** PUBLISH and its acknowledgements. */
final class GoldenPublishes {
    private static final List<UserProperty> NO_USER_PROPERTIES = List.of();

    private GoldenPublishes() {}

    static List<Golden> rows() {
        return List.of(
                valid("PUBLISH at QoS 0", V3_1_1, "30 05 0003 612F62", publish("a/b", QoS.AT_MOST_ONCE, 0, "")),
                valid("PUBLISH at QoS 0", V5, "30 08 0003 612F62 00 6869", publish("a/b", QoS.AT_MOST_ONCE, 0, "hi")),
                valid("PUBLISH at QoS 1", V3_1, "32 { <a/b> 0001 'hi' }", publish("a/b", QoS.AT_LEAST_ONCE, 1, "hi")),
                valid(
                        "PUBLISH at QoS 2",
                        V3_1_1,
                        SERVER,
                        "34 { <a/b> FFFF 'hi' }",
                        publish("a/b", QoS.EXACTLY_ONCE, 65_535, "hi")),
                valid(
                        "PUBLISH with DUP and RETAIN",
                        V5,
                        "3B { <a> 0007 {} 'x' }",
                        packet(topic("a"), 0, QoS.AT_LEAST_ONCE, true, true, 7, PublishProperties.NONE, List.of())),
                valid(
                        "PUBLISH with a topic alias alone",
                        V5,
                        "30 { <> { 23 0005 } 'x' }",
                        packet(null, 5, QoS.AT_MOST_ONCE, false, false, 0, PublishProperties.NONE, List.of())),
                valid(
                        "PUBLISH with every property",
                        V5,
                        SERVER,
                        "34 { <ä> 0001 { 01 00 02 FFFFFFFF 03 <t> 08 <r/s> 09 <> 26 <k> <v> 23 0001 0B 01 0B FFFFFF7F } 'x' }",
                        packet(
                                topic("ä"),
                                1,
                                QoS.EXACTLY_ONCE,
                                false,
                                false,
                                1,
                                new PublishProperties(
                                        4_294_967_295L,
                                        false,
                                        "t",
                                        topic("r/s"),
                                        binary(""),
                                        List.of(new UserProperty("k", "v"))),
                                List.of(1, 268_435_455))),
                valid("empty levels", V3_1_1, "30 { </a//> 'hi' }", publish("/a//", QoS.AT_MOST_ONCE, 0, "hi")),
                refused("QoS 3", V5, "36 { <a> 0001 {} }", MALFORMED_PACKET),
                refused("QoS 3", V3_1_1, "36 { <a> 0001 }", MALFORMED_PACKET),
                refused("DUP at QoS 0", V5, "38 { <a> {} }", MALFORMED_PACKET),
                refused("packet identifier 0", V5, "32 { <a> 0000 {} }", PROTOCOL_ERROR),
                refused("no packet identifier", V3_1_1, "32 { <a> }", MALFORMED_PACKET),
                refused("no topic", V3_1_1, "30 00", MALFORMED_PACKET),
                refused("an empty topic", V3_1_1, "30 { <> 'x' }", TOPIC_NAME_INVALID),
                refused("neither topic nor alias", V5, "30 { <> {} 'x' }", PROTOCOL_ERROR),
                refused("neither topic nor alias, but another property", V5, "30 { <> { 01 00 } 'x' }", PROTOCOL_ERROR),
                refused("a wildcard", V5, "30 { <a/+> {} 'x' }", TOPIC_NAME_INVALID),
                refused("a wildcard", V3_1_1, "30 { <#> 'x' }", TOPIC_NAME_INVALID),
                refused("too many levels", V5, "30 { <a/b/c/d/e> {} 'x' }", TOPIC_NAME_INVALID),
                refused(
                        "a topic that is too long",
                        V5,
                        "30 { <12345678901234567890123456789012345678901> {} }",
                        TOPIC_NAME_INVALID),
                refused("a topic beyond the packet", V5, "30 { 0009 'a' }", MALFORMED_PACKET),
                refused("U+0000 in the topic", V3_1_1, "30 { 000A 'abcdefgh' 00 'i' }", MALFORMED_PACKET),
                refused("U+0000 among the first eight", V3_1_1, "30 { 0008 'abc' 00 'efgh' }", MALFORMED_PACKET),
                refused("a topic that is not UTF-8", V5, "30 { 0003 'a' 80 'b' {} }", MALFORMED_PACKET),
                refusedProperty("topic alias 0", "23 0000", TOPIC_ALIAS_INVALID),
                refusedProperty("a topic alias twice", "23 0001 23 0001", PROTOCOL_ERROR),
                refusedProperty("a client's subscription identifier", "0B 01", PROTOCOL_ERROR),
                refusedProperty("a payload format that is 2", "01 02", PROTOCOL_ERROR),
                refusedProperty("a wildcard in the response topic", "08 <a/#>", TOPIC_NAME_INVALID),
                refusedProperty("an empty response topic", "08 <>", TOPIC_NAME_INVALID),
                refusedProperty("a property of CONNECT", "11 00000001", MALFORMED_PACKET),
                refusedProperty("four user properties", "26 <a> <b> 26 <a> <b> 26 <a> <b> 26 <a> <b>", QUOTA_EXCEEDED),
                refusedProperty("a user property without a value", "26 <a>", MALFORMED_PACKET),
                refused("properties beyond the packet", V5, "30 { <a> 05 01 00 }", MALFORMED_PACKET),
                refused("no properties", V5, "30 { <a> }", MALFORMED_PACKET),
                refused("a PUBLISH above the limit", V5, "30 FE 03 0001 61", PACKET_TOO_LARGE),
                refused("a PUBLISH above the limit", V3_1_1, "30 FF FF FF 7F", PACKET_TOO_LARGE),
                refused("a remaining length of five bytes", V3_1_1, "30 FF FF FF FF 00", MALFORMED_PACKET),
                valid("PUBACK", V3_1_1, "40 02 0102", new PubAckPacket(258, SUCCESS, null, NO_USER_PROPERTIES)),
                valid("PUBACK", V5, SERVER, "40 02 0102", new PubAckPacket(258, SUCCESS, null, NO_USER_PROPERTIES)),
                valid(
                        "PUBACK with a reason",
                        V5,
                        "40 03 0001 10",
                        new PubAckPacket(1, NO_MATCHING_SUBSCRIBERS, null, NO_USER_PROPERTIES)),
                Golden.alsoValid(
                        "PUBACK in its long form",
                        V5,
                        "40 04 0001 00 00",
                        new PubAckPacket(1, SUCCESS, null, NO_USER_PROPERTIES)),
                valid(
                        "PUBREC with everything",
                        V5,
                        "50 { 0001 97 { 1F <no> 26 <k> <v> } }",
                        new PubRecPacket(1, QUOTA_EXCEEDED, "no", List.of(new UserProperty("k", "v")))),
                valid("PUBREC", V3_1, "50 02 0001", new PubRecPacket(1, SUCCESS, null, NO_USER_PROPERTIES)),
                valid("PUBREL", V3_1_1, SERVER, "62 02 0001", new PubRelPacket(1, SUCCESS, null, NO_USER_PROPERTIES)),
                valid(
                        "PUBREL",
                        V5,
                        "62 03 0001 92",
                        new PubRelPacket(1, PACKET_IDENTIFIER_NOT_FOUND, null, NO_USER_PROPERTIES)),
                valid("PUBCOMP", V3_1_1, "70 02 0001", new PubCompPacket(1, SUCCESS, null, NO_USER_PROPERTIES)),
                valid(
                        "PUBCOMP",
                        V5,
                        "70 { 0001 00 { 1F <ok> } }",
                        new PubCompPacket(1, SUCCESS, "ok", NO_USER_PROPERTIES)),
                alsoValid(
                        "PUBREL sent again",
                        V3_1,
                        "6A 02 0001",
                        new PubRelPacket(1, SUCCESS, null, NO_USER_PROPERTIES)),
                refused("PUBREL sent again", V3_1_1, "6A 02 0001", MALFORMED_PACKET),
                refused("PUBACK with flags", V3_1_1, "42 02 0001", MALFORMED_PACKET),
                refused("PUBREL without its flags", V5, "60 02 0001", MALFORMED_PACKET),
                refused("PUBACK for packet identifier 0", V5, "40 02 0000", PROTOCOL_ERROR),
                refused("PUBACK of one byte", V3_1_1, "40 01 00", MALFORMED_PACKET),
                refused("PUBACK with a reason", V3_1_1, "40 03 0001 00", MALFORMED_PACKET),
                refused("PUBACK with a reason of PUBREL", V5, "40 03 0001 92", PROTOCOL_ERROR),
                refused("PUBREL with a reason of PUBREC", V5, "62 03 0001 10", PROTOCOL_ERROR),
                refused("PUBACK with an unknown reason code", V5, "40 03 0001 7F", PROTOCOL_ERROR),
                refused("PUBACK with two reason strings", V5, "40 { 0001 00 { 1F <a> 1F <b> } }", PROTOCOL_ERROR),
                refused("PUBACK with a property of PUBLISH", V5, "40 { 0001 00 { 01 00 } }", MALFORMED_PACKET),
                refused("PUBACK with bytes behind its end", V5, "40 { 0001 00 {} 00 }", MALFORMED_PACKET));
    }

    private static Golden refusedProperty(String name, String property, ReasonCode error) {
        return refused(name, V5, "30 { <a> { " + property + " } 'x' }", error);
    }

    private static MqttPacket publish(String topic, QoS qos, int packetId, String payload) {
        return new PublishPacket(
                topic(topic),
                PublishPacket.NO_TOPIC_ALIAS,
                qos,
                false,
                false,
                packetId,
                PublishProperties.NONE,
                List.of(),
                binary(payload));
    }

    private static MqttPacket packet(
            @Nullable TopicName topic,
            int alias,
            QoS qos,
            boolean retain,
            boolean duplicate,
            int packetId,
            PublishProperties properties,
            List<Integer> identifiers) {
        return new PublishPacket(topic, alias, qos, retain, duplicate, packetId, properties, identifiers, binary("x"));
    }

    private static TopicName topic(String value) {
        return TopicName.parse(value, 4);
    }
}
