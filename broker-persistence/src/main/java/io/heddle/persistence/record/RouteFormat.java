package io.heddle.persistence.record;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;

/**
 * The format of a subscription of a persistent session, whose key is in {@link ClientFormat}. Stateless, any thread.
 *
 * <pre>
 * u8   version, 1
 * u8   bits 0-1 QoS, bit 2 No Local, bit 3 Retain As Published
 * i64  generation of the session
 * u32  Subscription Identifier, 0 for none
 * </pre>
 */
final class RouteFormat {
    private static final String NAME = "a route";
    private static final int VERSION = 1;
    private static final int QOS = 0b11;
    private static final int NO_LOCAL = 1 << 2;
    private static final int RETAIN_AS_PUBLISHED = 1 << 3;
    private static final int MAXIMUM_IDENTIFIER = 268_435_455;

    private RouteFormat() {}

    static byte[] value(Route route) {
        return new BinaryWriter()
                .u8(VERSION)
                .u8(route.qos().level()
                        | (route.noLocal() ? NO_LOCAL : 0)
                        | (route.retainAsPublished() ? RETAIN_AS_PUBLISHED : 0))
                .i64(route.generation())
                .u32(route.subscriptionIdentifier())
                .toBytes();
    }

    static Route read(RouteKey key, RecordReader value) {
        value.version(NAME, VERSION);
        int flags = value.u8();
        long generation = value.i64();
        long identifier = value.u32();
        value.finish();
        if (identifier > MAXIMUM_IDENTIFIER) {
            throw value.malformed("Subscription Identifier " + identifier + " does not exist");
        }
        return new Route(
                key.clientId(),
                key.topicFilter(),
                generation,
                value.qos(flags & QOS),
                (flags & NO_LOCAL) != 0,
                (flags & RETAIN_AS_PUBLISHED) != 0,
                (int) identifier);
    }
}
