package io.heddle.transport.codec;

import io.heddle.core.mqtt.BinaryData;
import io.heddle.core.mqtt.MqttVersion;
import io.heddle.core.mqtt.PublishProperties;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.mqtt.ReasonCode;
import io.heddle.core.mqtt.RetainHandling;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.mqtt.UserProperty;
import io.heddle.core.mqtt.packet.AuthPacket;
import io.heddle.core.mqtt.packet.ConnAckPacket;
import io.heddle.core.mqtt.packet.ConnAckProperties;
import io.heddle.core.mqtt.packet.ConnectPacket;
import io.heddle.core.mqtt.packet.ConnectProperties;
import io.heddle.core.mqtt.packet.DisconnectPacket;
import io.heddle.core.mqtt.packet.MqttPacket;
import io.heddle.core.mqtt.packet.PingReqPacket;
import io.heddle.core.mqtt.packet.PingRespPacket;
import io.heddle.core.mqtt.packet.PubAckPacket;
import io.heddle.core.mqtt.packet.PubCompPacket;
import io.heddle.core.mqtt.packet.PubRecPacket;
import io.heddle.core.mqtt.packet.PubRelPacket;
import io.heddle.core.mqtt.packet.PublishPacket;
import io.heddle.core.mqtt.packet.SubAckPacket;
import io.heddle.core.mqtt.packet.SubscribePacket;
import io.heddle.core.mqtt.packet.SubscriptionRequest;
import io.heddle.core.mqtt.packet.UnsubAckPacket;
import io.heddle.core.mqtt.packet.UnsubscribePacket;
import io.heddle.core.mqtt.packet.WillMessage;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/** Creates valid random packets; the same seed gives the same packets. */
final class RandomPackets {
    private static final Set<ReasonCode> SUBACK = Set.of(
            ReasonCode.SUCCESS,
            ReasonCode.GRANTED_QOS_1,
            ReasonCode.GRANTED_QOS_2,
            ReasonCode.UNSPECIFIED_ERROR,
            ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
            ReasonCode.NOT_AUTHORIZED,
            ReasonCode.TOPIC_FILTER_INVALID,
            ReasonCode.PACKET_IDENTIFIER_IN_USE,
            ReasonCode.QUOTA_EXCEEDED,
            ReasonCode.SHARED_SUBSCRIPTIONS_NOT_SUPPORTED,
            ReasonCode.SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED,
            ReasonCode.WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED);
    /** The reason codes of SUBACK in MQTT 3.1.1 [MQTT-3.9.3-2]. */
    private static final Set<ReasonCode> SUBACK_3 = Set.of(
            ReasonCode.SUCCESS, ReasonCode.GRANTED_QOS_1, ReasonCode.GRANTED_QOS_2, ReasonCode.UNSPECIFIED_ERROR);

    private static final Set<ReasonCode> UNSUBACK = Set.of(
            ReasonCode.SUCCESS,
            ReasonCode.NO_SUBSCRIPTION_EXISTED,
            ReasonCode.UNSPECIFIED_ERROR,
            ReasonCode.IMPLEMENTATION_SPECIFIC_ERROR,
            ReasonCode.NOT_AUTHORIZED,
            ReasonCode.TOPIC_FILTER_INVALID,
            ReasonCode.PACKET_IDENTIFIER_IN_USE);

    static final PacketLimits LIMITS = new PacketLimits(1 << 24, 1 << 24, 65_535, 65_535, 16);

    private static final int[] ALPHABET = {'a', 'z', '0', ' ', '$', 0x7F, 0xE9, 0x3B1, 0x6E29, 0xFFFD, 0x1F321, 0x10FFFF
    };

    private final RandomGenerator random;
    private final MqttVersion version;

    RandomPackets(RandomGenerator random, MqttVersion version) {
        this.random = random;
        this.version = version;
    }

    private boolean v5() {
        return version.hasProperties();
    }

    ConnectPacket connect() {
        String userName = maybe(this::text);
        BinaryData password = v5() || userName != null ? maybe(this::binary) : null;
        WillMessage will = maybe(() -> new WillMessage(
                topic(),
                binary(),
                qos(),
                flag(),
                v5() ? unsignedInt() : 0,
                v5() ? properties() : PublishProperties.NONE));
        return new ConnectPacket(
                version,
                text(),
                flag(),
                number(0, 65_535),
                will,
                userName,
                password,
                v5() ? connectProperties() : ConnectProperties.NONE);
    }

    private ConnectProperties connectProperties() {
        String method = maybe(this::text);
        return new ConnectProperties(
                unsignedInt(),
                number(1, 65_535),
                number(1, 4_294_967_295L),
                number(0, 65_535),
                flag(),
                flag(),
                userProperties(),
                method,
                method == null ? null : maybe(this::binary));
    }

    MqttPacket fromClient() {
        return switch (random.nextInt(v5() ? 11 : 9)) {
            case 0, 1, 2 -> publish(false);
            case 3 -> acknowledgement();
            case 4 -> acknowledgement();
            case 5 -> subscribe();
            case 6 -> new UnsubscribePacket(packetId(), v5() ? userProperties() : List.of(), some(this::filter));
            case 7 -> PingReqPacket.INSTANCE;
            case 8 -> v5() ? disconnect(false) : DisconnectPacket.of(ReasonCode.SUCCESS, null);
            case 9 -> auth();
            default -> disconnect(false);
        };
    }

    MqttPacket fromServer() {
        return switch (random.nextInt(v5() ? 9 : 7)) {
            case 0, 1 -> publish(v5());
            case 2, 3 -> acknowledgement();
            case 4 -> connAck();
            case 5 ->
                flag()
                        ? new SubAckPacket(
                                packetId(),
                                v5() ? maybe(this::text) : null,
                                v5() ? userProperties() : List.of(),
                                some(() -> reason(v5() ? SUBACK : SUBACK_3)))
                        : new UnsubAckPacket(
                                packetId(),
                                v5() ? maybe(this::text) : null,
                                v5() ? userProperties() : List.of(),
                                v5() ? some(() -> reason(UNSUBACK)) : List.of());
            case 6 -> PingRespPacket.INSTANCE;
            case 7 -> auth();
            default -> disconnect(true);
        };
    }

    private PublishPacket publish(boolean withIdentifiers) {
        QoS qos = qos();
        int alias = v5() && flag() ? number(1, 65_535) : PublishPacket.NO_TOPIC_ALIAS;
        List<Integer> identifiers = withIdentifiers && flag() ? some(() -> number(1, 268_435_455)) : List.of();
        return new PublishPacket(
                alias != PublishPacket.NO_TOPIC_ALIAS && flag() ? null : topic(),
                alias,
                qos,
                flag(),
                qos != QoS.AT_MOST_ONCE && flag(),
                qos == QoS.AT_MOST_ONCE ? PublishPacket.NO_PACKET_ID : packetId(),
                v5() && flag() ? properties() : PublishProperties.NONE,
                identifiers,
                binary());
    }

    private PublishProperties properties() {
        return new PublishProperties(
                flag() ? unsignedInt() : PublishProperties.NO_EXPIRY,
                maybe(this::flag),
                maybe(this::text),
                maybe(this::topic),
                maybe(this::binary),
                userProperties());
    }

    private MqttPacket acknowledgement() {
        String reasonString = v5() ? maybe(this::text) : null;
        List<UserProperty> userProperties = v5() ? userProperties() : List.of();
        ReasonCode received = v5() ? reason(ReasonCodes.RECEIVED) : ReasonCode.SUCCESS;
        ReasonCode released = v5() ? reason(ReasonCodes.RELEASED) : ReasonCode.SUCCESS;
        return switch (random.nextInt(4)) {
            case 0 -> new PubAckPacket(packetId(), received, reasonString, userProperties);
            case 1 -> new PubRecPacket(packetId(), received, reasonString, userProperties);
            case 2 -> new PubRelPacket(packetId(), released, reasonString, userProperties);
            default -> new PubCompPacket(packetId(), released, reasonString, userProperties);
        };
    }

    private SubscribePacket subscribe() {
        return new SubscribePacket(
                packetId(),
                v5() && flag() ? number(1, 268_435_455) : SubscribePacket.NO_SUBSCRIPTION_IDENTIFIER,
                v5() ? userProperties() : List.of(),
                some(() -> new SubscriptionRequest(
                        filter(),
                        qos(),
                        v5() && flag(),
                        v5() && flag(),
                        v5() ? RetainHandling.ofNumber(random.nextInt(3)) : RetainHandling.SEND)));
    }

    private ConnAckPacket connAck() {
        if (!v5()) {
            return new ConnAckPacket(
                    false,
                    List.of(ReasonCode.SUCCESS, ReasonCode.NOT_AUTHORIZED, ReasonCode.SERVER_UNAVAILABLE)
                            .get(random.nextInt(3)),
                    ConnAckProperties.NONE);
        }
        ReasonCode reason = reason(ReasonCodes.CONNACK);
        return new ConnAckPacket(
                reason == ReasonCode.SUCCESS && flag(),
                reason,
                new ConnAckProperties(
                        maybe(this::unsignedInt),
                        number(1, 65_535),
                        qos(),
                        flag(),
                        number(1, 4_294_967_295L),
                        maybe(this::text),
                        number(0, 65_535),
                        maybe(this::text),
                        userProperties(),
                        flag(),
                        flag(),
                        flag(),
                        maybe(() -> number(0, 65_535)),
                        maybe(this::text),
                        maybe(this::text),
                        maybe(this::text),
                        maybe(this::binary)));
    }

    private DisconnectPacket disconnect(boolean server) {
        return new DisconnectPacket(
                reason(server ? ReasonCodes.SERVER_DISCONNECT : ReasonCodes.CLIENT_DISCONNECT),
                server ? null : maybe(this::unsignedInt),
                maybe(this::text),
                userProperties(),
                server ? maybe(this::text) : null);
    }

    private AuthPacket auth() {
        return new AuthPacket(
                reason(ReasonCodes.AUTH), text(), maybe(this::binary), maybe(this::text), userProperties());
    }

    private ReasonCode reason(Set<ReasonCode> allowed) {
        return List.copyOf(allowed).stream().sorted().toList().get(random.nextInt(allowed.size()));
    }

    private List<UserProperty> userProperties() {
        return flag() ? List.of() : some(() -> new UserProperty(text(), text()));
    }

    private <T> List<T> some(Supplier<T> element) {
        List<T> list = new ArrayList<>();
        int count = random.nextInt(1, 6);
        for (int i = 0; i < count; i++) {
            list.add(element.get());
        }
        return list;
    }

    private <T> @Nullable T maybe(Supplier<T> value) {
        return flag() ? value.get() : null;
    }

    private boolean flag() {
        return random.nextBoolean();
    }

    private QoS qos() {
        return QoS.ofLevel(random.nextInt(3));
    }

    private int packetId() {
        return number(1, 65_535);
    }

    private int number(int least, int most) {
        return (int) number((long) least, (long) most);
    }

    /** Half of them near boundary values: the limits, and where another byte is needed. */
    private long number(long least, long most) {
        long chosen = switch (random.nextInt(8)) {
            case 0 -> least;
            case 1 -> least + 1;
            case 2 -> most;
            case 3 -> (1L << (7 * random.nextInt(1, 4))) - random.nextInt(2);
            default -> random.nextLong(least, most + 1);
        };
        return Math.clamp(chosen, least, most);
    }

    private long unsignedInt() {
        return number(0, 4_294_967_295L);
    }

    private TopicName topic() {
        String name = name() + "/" + name();
        return TopicName.parse(name, 65_535);
    }

    private String filter() {
        return "/" + name();
    }

    /** Excludes the alphabet's control character, which topics must not contain. */
    private String name() {
        return text().replace('\u007F', 'd');
    }

    private String text() {
        int length = random.nextInt(20) == 0 ? random.nextInt(3000) : random.nextInt(12);
        StringBuilder text = new StringBuilder();
        for (int i = 0; i < length; i++) {
            text.appendCodePoint(ALPHABET[random.nextInt(ALPHABET.length)]);
        }
        return text.toString();
    }

    private BinaryData binary() {
        byte[] bytes = new byte[random.nextInt(20) == 0 ? random.nextInt(40_000) : random.nextInt(40)];
        random.nextBytes(bytes);
        return BinaryData.wrap(bytes);
    }
}
