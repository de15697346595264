package io.heddle.transport.codec;

import static io.heddle.core.mqtt.MqttVersion.V3_1;
import static io.heddle.core.mqtt.MqttVersion.V3_1_1;
import static io.heddle.core.mqtt.MqttVersion.V5;
import static io.heddle.core.mqtt.ReasonCode.*;
import static io.heddle.transport.codec.Golden.Phase.SERVER;
import static io.heddle.transport.codec.Golden.alsoValid;
import static io.heddle.transport.codec.Golden.refused;
import static io.heddle.transport.codec.Golden.valid;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import java.util.List;

/** SUBSCRIBE, UNSUBSCRIBE and their answers. */
final class GoldenSubscriptions {
    private static final List<UserProperty> ONE_USER_PROPERTY = List.of(new UserProperty("k", "v"));

    private GoldenSubscriptions() {}

    static List<Golden> rows() {
        return List.of(
                valid(
                        "SUBSCRIBE",
                        V3_1_1,
                        "82 0D 0001 0003 612F2B 01 0002 2F23 02",
                        new SubscribePacket(
                                1,
                                SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER,
                                List.of(),
                                List.of(plain("a/+", QoS.AT_LEAST_ONCE), plain("/#", QoS.EXACTLY_ONCE)))),
                valid(
                        "SUBSCRIBE",
                        V3_1,
                        "82 { FFFF <a> 00 }",
                        new SubscribePacket(65_535, 0, List.of(), List.of(plain("a", QoS.AT_MOST_ONCE)))),
                valid(
                        "SUBSCRIBE with options",
                        V5,
                        "82 { 0001 { 0B 8001 26 <k> <v> } <a> 0E <b> 19 <$share/g/c> 20 }",
                        new SubscribePacket(
                                1,
                                128,
                                ONE_USER_PROPERTY,
                                List.of(
                                        new SubscriptionRequest("a", QoS.EXACTLY_ONCE, true, true, RetainHandling.SEND),
                                        new SubscriptionRequest(
                                                "b", QoS.AT_LEAST_ONCE, false, true, RetainHandling.SEND_IF_NEW),
                                        new SubscriptionRequest(
                                                "$share/g/c",
                                                QoS.AT_MOST_ONCE,
                                                false,
                                                false,
                                                RetainHandling.DO_NOT_SEND)))),
                valid(
                        "SUBSCRIBE to a filter that core refuses in its place",
                        V5,
                        "82 { 0001 {} <a/#/b> 00 }",
                        new SubscribePacket(1, 0, List.of(), List.of(plain("a/#/b", QoS.AT_MOST_ONCE)))),
                refused("SUBSCRIBE without its flags", V5, "80 { 0001 {} <a> 00 }", MALFORMED_PACKET),
                alsoValid(
                        "SUBSCRIBE sent again",
                        V3_1,
                        "8A { 0001 <a> 00 }",
                        new SubscribePacket(1, 0, List.of(), List.of(plain("a", QoS.AT_MOST_ONCE)))),
                refused("SUBSCRIBE sent again", V3_1_1, "8A { 0001 <a> 00 }", MALFORMED_PACKET),
                refused("SUBSCRIBE to an empty filter", V3_1_1, "82 { 0001 <a> 00 <> 00 }", MALFORMED_PACKET),
                refused("SUBSCRIBE to an empty filter", V5, "82 { 0001 {} <> 00 <a> 00 }", MALFORMED_PACKET),
                refused("SUBSCRIBE to nothing", V5, "82 { 0001 {} }", PROTOCOL_ERROR),
                refused("SUBSCRIBE to nothing", V3_1_1, "82 { 0001 }", PROTOCOL_ERROR),
                refused("SUBSCRIBE with packet identifier 0", V3_1_1, "82 { 0000 <a> 00 }", PROTOCOL_ERROR),
                refused("SUBSCRIBE with QoS 3", V5, "82 { 0001 {} <a> 03 }", MALFORMED_PACKET),
                refused("SUBSCRIBE with QoS 3", V3_1_1, "82 { 0001 <a> 03 }", MALFORMED_PACKET),
                refused("options of MQTT 5.0", V3_1_1, "82 { 0001 <a> 04 }", MALFORMED_PACKET),
                refused("reserved options", V5, "82 { 0001 {} <a> 40 }", MALFORMED_PACKET),
                refused("retain handling 3", V5, "82 { 0001 {} <a> 30 }", PROTOCOL_ERROR),
                refused("no local on a shared subscription", V5, "82 { 0001 {} <$share/g/a> 04 }", PROTOCOL_ERROR),
                refused("no options", V5, "82 { 0001 {} <a> }", MALFORMED_PACKET),
                refused(
                        "a filter that is too long",
                        V5,
                        "82 { 0001 {} <12345678901234567890123456789012345678901> 00 }",
                        TOPIC_FILTER_INVALID),
                refused("a filter that is not UTF-8", V5, "82 { 0001 {} 0001 FE 00 }", MALFORMED_PACKET),
                refused("subscription identifier 0", V5, "82 { 0001 { 0B 00 } <a> 00 }", PROTOCOL_ERROR),
                refused("two subscription identifiers", V5, "82 { 0001 { 0B 01 0B 02 } <a> 00 }", PROTOCOL_ERROR),
                refused(
                        "a subscription identifier of five bytes",
                        V5,
                        "82 { 0001 { 0B FFFFFFFF01 } <a> 00 }",
                        MALFORMED_PACKET),
                refused("SUBSCRIBE with a property of PUBLISH", V5, "82 { 0001 { 23 0001 } <a> 00 }", MALFORMED_PACKET),
                valid(
                        "UNSUBSCRIBE",
                        V3_1_1,
                        "A2 { 0001 <a> <b/#> }",
                        new UnsubscribePacket(1, List.of(), List.of("a", "b/#"))),
                valid(
                        "UNSUBSCRIBE",
                        V5,
                        "A2 { 0001 { 26 <k> <v> } <a> }",
                        new UnsubscribePacket(1, ONE_USER_PROPERTY, List.of("a"))),
                refused("UNSUBSCRIBE without its flags", V3_1_1, "A0 { 0001 <a> }", MALFORMED_PACKET),
                alsoValid(
                        "UNSUBSCRIBE sent again",
                        V3_1,
                        "AA { 0001 <a> }",
                        new UnsubscribePacket(1, List.of(), List.of("a"))),
                refused("UNSUBSCRIBE from an empty filter", V3_1_1, "A2 { 0001 <a> <> }", MALFORMED_PACKET),
                refused("UNSUBSCRIBE from an empty filter", V5, "A2 { 0001 {} <> <a> }", MALFORMED_PACKET),
                refused("UNSUBSCRIBE from nothing", V5, "A2 { 0001 {} }", PROTOCOL_ERROR),
                refused("UNSUBSCRIBE from nothing", V3_1, "A2 { 0001 }", PROTOCOL_ERROR),
                refused("UNSUBSCRIBE with packet identifier 0", V5, "A2 { 0000 {} <a> }", PROTOCOL_ERROR),
                refused(
                        "UNSUBSCRIBE with a subscription identifier",
                        V5,
                        "A2 { 0001 { 0B 01 } <a> }",
                        MALFORMED_PACKET),
                valid(
                        "SUBACK",
                        V3_1_1,
                        SERVER,
                        "90 { 0001 00 01 02 80 }",
                        new SubAckPacket(
                                1, null, List.of(), List.of(SUCCESS, GRANTED_QOS_1, GRANTED_QOS_2, UNSPECIFIED_ERROR))),
                valid(
                        "SUBACK",
                        V5,
                        SERVER,
                        "90 { 0001 { 1F <why> 26 <k> <v> } 00 8F A2 }",
                        new SubAckPacket(
                                1,
                                "why",
                                ONE_USER_PROPERTY,
                                List.of(SUCCESS, TOPIC_FILTER_INVALID, WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED))),
                valid("UNSUBACK", V3_1_1, SERVER, "B0 02 0001", new UnsubAckPacket(1, null, List.of(), List.of())),
                valid(
                        "UNSUBACK",
                        V5,
                        SERVER,
                        "B0 { 0001 {} 00 11 }",
                        new UnsubAckPacket(1, null, List.of(), List.of(SUCCESS, NO_SUBSCRIPTION_EXISTED))),
                refused("a client's SUBACK", V5, "90 { 0001 {} 00 }", PROTOCOL_ERROR),
                refused("a client's UNSUBACK", V3_1_1, "B0 02 0001", PROTOCOL_ERROR));
    }

    private static SubscriptionRequest plain(String filter, QoS qos) {
        return new SubscriptionRequest(filter, qos, false, false, RetainHandling.SEND);
    }
}
