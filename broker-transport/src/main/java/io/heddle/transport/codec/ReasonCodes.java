package io.heddle.transport.codec;

import static io.heddle.core.mqtt.ReasonCode.*;

import io.heddle.core.mqtt.ProtocolException;
import io.heddle.core.mqtt.ReasonCode;
import java.util.Collections;
import java.util.EnumSet;
import java.util.Set;

/** The reason codes that packets may carry, from the tables of MQTT 5.0, chapter 3. */
final class ReasonCodes {
    static final Set<ReasonCode> CONNACK = setOf(
            SUCCESS,
            UNSPECIFIED_ERROR,
            MALFORMED_PACKET,
            PROTOCOL_ERROR,
            IMPLEMENTATION_SPECIFIC_ERROR,
            UNSUPPORTED_PROTOCOL_VERSION,
            CLIENT_IDENTIFIER_NOT_VALID,
            BAD_USER_NAME_OR_PASSWORD,
            NOT_AUTHORIZED,
            SERVER_UNAVAILABLE,
            SERVER_BUSY,
            BANNED,
            BAD_AUTHENTICATION_METHOD,
            TOPIC_NAME_INVALID,
            PACKET_TOO_LARGE,
            QUOTA_EXCEEDED,
            PAYLOAD_FORMAT_INVALID,
            RETAIN_NOT_SUPPORTED,
            QOS_NOT_SUPPORTED,
            USE_ANOTHER_SERVER,
            SERVER_MOVED,
            CONNECTION_RATE_EXCEEDED);
    /** PUBACK and PUBREC. */
    static final Set<ReasonCode> RECEIVED = setOf(
            SUCCESS,
            NO_MATCHING_SUBSCRIBERS,
            UNSPECIFIED_ERROR,
            IMPLEMENTATION_SPECIFIC_ERROR,
            NOT_AUTHORIZED,
            TOPIC_NAME_INVALID,
            PACKET_IDENTIFIER_IN_USE,
            QUOTA_EXCEEDED,
            PAYLOAD_FORMAT_INVALID);
    /** PUBREL and PUBCOMP. */
    static final Set<ReasonCode> RELEASED = setOf(SUCCESS, PACKET_IDENTIFIER_NOT_FOUND);

    static final Set<ReasonCode> AUTH = setOf(SUCCESS, CONTINUE_AUTHENTICATION, RE_AUTHENTICATE);

    private static final Set<ReasonCode> EITHER_DISCONNECT = setOf(
            SUCCESS,
            UNSPECIFIED_ERROR,
            MALFORMED_PACKET,
            PROTOCOL_ERROR,
            IMPLEMENTATION_SPECIFIC_ERROR,
            TOPIC_NAME_INVALID,
            RECEIVE_MAXIMUM_EXCEEDED,
            TOPIC_ALIAS_INVALID,
            PACKET_TOO_LARGE,
            MESSAGE_RATE_TOO_HIGH,
            QUOTA_EXCEEDED,
            ADMINISTRATIVE_ACTION,
            PAYLOAD_FORMAT_INVALID);
    static final Set<ReasonCode> CLIENT_DISCONNECT = union(EITHER_DISCONNECT, setOf(DISCONNECT_WITH_WILL_MESSAGE));
    static final Set<ReasonCode> SERVER_DISCONNECT = union(
            EITHER_DISCONNECT,
            setOf(
                    NOT_AUTHORIZED,
                    SERVER_BUSY,
                    SERVER_SHUTTING_DOWN,
                    KEEP_ALIVE_TIMEOUT,
                    SESSION_TAKEN_OVER,
                    TOPIC_FILTER_INVALID,
                    RETAIN_NOT_SUPPORTED,
                    QOS_NOT_SUPPORTED,
                    USE_ANOTHER_SERVER,
                    SERVER_MOVED,
                    SHARED_SUBSCRIPTIONS_NOT_SUPPORTED,
                    CONNECTION_RATE_EXCEEDED,
                    MAXIMUM_CONNECT_TIME,
                    SUBSCRIPTION_IDENTIFIERS_NOT_SUPPORTED,
                    WILDCARD_SUBSCRIPTIONS_NOT_SUPPORTED));

    private ReasonCodes() {}

    private static Set<ReasonCode> setOf(ReasonCode first, ReasonCode... others) {
        return Collections.unmodifiableSet(EnumSet.of(first, others));
    }

    private static Set<ReasonCode> union(Set<ReasonCode> some, Set<ReasonCode> others) {
        EnumSet<ReasonCode> all = EnumSet.copyOf(some);
        all.addAll(others);
        return Collections.unmodifiableSet(all);
    }

    /** @throws ProtocolException if the packet type does not allow it */
    static ReasonCode require(int code, Set<ReasonCode> allowed) {
        ReasonCode reason = ReasonCode.ofCode(code);
        if (reason == null || !allowed.contains(reason)) {
            throw new ProtocolException(PROTOCOL_ERROR, "a reason code that is not allowed in this packet");
        }
        return reason;
    }
}
