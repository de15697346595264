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

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import java.util.List;

/** CONNACK, PINGREQ, PINGRESP, DISCONNECT and AUTH. */
final class GoldenAnswers {
    private static final List<UserProperty> ONE_USER_PROPERTY = List.of(new UserProperty("k", "v"));

    private GoldenAnswers() {}

    static List<Golden> rows() {
        return List.of(
                valid("CONNACK", V3_1_1, SERVER, "20 02 01 00", connAck(true, SUCCESS)),
                valid("CONNACK", V3_1, SERVER, "20 02 00 00", connAck(false, SUCCESS)),
                valid("CONNACK", V5, SERVER, "20 03 00 00 00", connAck(false, SUCCESS)),
                valid(
                        "CONNACK for a version",
                        V3_1_1,
                        SERVER,
                        "20 02 00 01",
                        connAck(false, UNSUPPORTED_PROTOCOL_VERSION)),
                valid(
                        "CONNACK for a client id",
                        V3_1_1,
                        SERVER,
                        "20 02 00 02",
                        connAck(false, CLIENT_IDENTIFIER_NOT_VALID)),
                valid("CONNACK while unavailable", V3_1, SERVER, "20 02 00 03", connAck(false, SERVER_UNAVAILABLE)),
                valid(
                        "CONNACK for a password",
                        V3_1_1,
                        SERVER,
                        "20 02 00 04",
                        connAck(false, BAD_USER_NAME_OR_PASSWORD)),
                valid("CONNACK for rights", V3_1_1, SERVER, "20 02 00 05", connAck(false, NOT_AUTHORIZED)),
                valid("CONNACK refusing", V5, SERVER, "20 03 00 8A 00", connAck(false, BANNED)),
                valid(
                        "CONNACK with every property",
                        V5,
                        SERVER,
                        "20 { 01 00 { 11 0000003C 21 000A 24 01 25 00 27 00010000 12 <id> 22 0005 28 00 29 00 2A 00 13 001E"
                                + " 1A <i> 1C <s> 15 <m> 16 <d> 1F <r> 26 <k> <v> } }",
                        new ConnAckPacket(
                                true,
                                SUCCESS,
                                new ConnAckProperties(
                                        60L,
                                        10,
                                        QoS.AT_LEAST_ONCE,
                                        false,
                                        65_536,
                                        "id",
                                        5,
                                        "r",
                                        ONE_USER_PROPERTY,
                                        false,
                                        false,
                                        false,
                                        30,
                                        "i",
                                        "s",
                                        "m",
                                        binary("d")))),
                refused("a client's CONNACK", V5, "20 03 00 00 00", PROTOCOL_ERROR),
                valid("PINGREQ", V3_1_1, "C0 00", PingReqPacket.INSTANCE),
                valid("PINGREQ", V5, "C0 00", PingReqPacket.INSTANCE),
                valid("PINGRESP", V3_1, SERVER, "D0 00", PingRespPacket.INSTANCE),
                refused("PINGREQ with flags", V5, "C1 00", MALFORMED_PACKET),
                refused("PINGREQ with a byte", V3_1_1, "C0 01 00", MALFORMED_PACKET),
                refused("a client's PINGRESP", V3_1_1, "D0 00", PROTOCOL_ERROR),
                valid("DISCONNECT", V3_1_1, "E0 00", DisconnectPacket.of(SUCCESS, null)),
                valid("DISCONNECT", V5, "E0 00", DisconnectPacket.of(SUCCESS, null)),
                valid(
                        "DISCONNECT with its will",
                        V5,
                        "E0 01 04",
                        DisconnectPacket.of(DISCONNECT_WITH_WILL_MESSAGE, null)),
                alsoValid("DISCONNECT in its long form", V5, "E0 02 00 00", DisconnectPacket.of(SUCCESS, null)),
                valid(
                        "DISCONNECT with everything of a client",
                        V5,
                        "E0 { 80 { 11 00000000 1F <bye> 26 <k> <v> } }",
                        new DisconnectPacket(UNSPECIFIED_ERROR, 0L, "bye", ONE_USER_PROPERTY, null)),
                valid(
                        "DISCONNECT with everything of a server",
                        V5,
                        SERVER,
                        "E0 { 9C { 1C <other:1883> 1F <go> } }",
                        new DisconnectPacket(USE_ANOTHER_SERVER, null, "go", List.of(), "other:1883")),
                refused("DISCONNECT with a reason", V3_1_1, "E0 01 00", MALFORMED_PACKET),
                refused("DISCONNECT with flags", V3_1_1, "E2 00", MALFORMED_PACKET),
                refused("a client's DISCONNECT with a server's reason", V5, "E0 01 8E", PROTOCOL_ERROR),
                refused("a client's server reference", V5, "E0 { 00 { 1C <s> } }", PROTOCOL_ERROR),
                refused("DISCONNECT with a property of CONNECT", V5, "E0 { 00 { 21 0001 } }", MALFORMED_PACKET),
                valid("AUTH", V5, "F0 00", new AuthPacket(SUCCESS, null, null, null, List.of())),
                valid(
                        "AUTH with everything",
                        V5,
                        SERVER,
                        "F0 { 18 { 15 <SCRAM> 16 <d> 1F <go on> 26 <k> <v> } }",
                        new AuthPacket(CONTINUE_AUTHENTICATION, "SCRAM", binary("d"), "go on", ONE_USER_PROPERTY)),
                refused("AUTH without a method", V5, "F0 { 18 {} }", PROTOCOL_ERROR),
                refused("AUTH without a property length", V5, "F0 01 18", MALFORMED_PACKET),
                refused("AUTH with a reason of CONNACK", V5, "F0 { 87 { 15 <m> } }", PROTOCOL_ERROR),
                refused("AUTH with flags", V5, "F2 00", MALFORMED_PACKET),
                refused("AUTH", V3_1_1, "F0 00", MALFORMED_PACKET),
                refused("packet type 0", V5, "00 00", MALFORMED_PACKET));
    }

    private static ConnAckPacket connAck(boolean sessionPresent, ReasonCode reason) {
        return new ConnAckPacket(sessionPresent, reason, ConnAckProperties.NONE);
    }
}
