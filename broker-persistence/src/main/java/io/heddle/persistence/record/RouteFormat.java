package io.heddle.persistence.record;

import io.heddle.core.client.ClientId;
import io.heddle.core.subscription.Route;
import io.heddle.core.subscription.RouteKey;

/**
 * The format of a subscription of a persistent session.
 *
 * <pre>
 * key:   u8   version, 1
 *        u8   kind: 1 for a persistent session
 *        text client id
 *        text topic filter
 * value: u8   version, 1
 *        u8   bits 0-1 QoS, bit 2 No Local, bit 3 Retain As Published
 *        i64  generation of the session
 *        u32  Subscription Identifier, 0 for none
 * </pre>
 */
public final class RouteFormat implements ChangeFormat<RouteKey, Route> {
    private static final String NAME = "a route";
    private static final int VERSION = 1;
    private static final int OF_SESSION = 1;
    private static final int QOS = 0b11;
    private static final int NO_LOCAL = 1 << 2;
    private static final int RETAIN_AS_PUBLISHED = 1 << 3;
    private static final int MAXIMUM_IDENTIFIER = 268_435_455;

    @Override
    public byte[] key(RouteKey key) {
        return new RecordWriter()
                .u8(VERSION)
                .u8(OF_SESSION)
                .text(key.clientId().value())
                .text(key.topicFilter())
                .toBytes();
    }

    @Override
    public byte[] value(Route route) {
        return new RecordWriter()
                .u8(VERSION)
                .u8(route.qos().level()
                        | (route.noLocal() ? NO_LOCAL : 0)
                        | (route.retainAsPublished() ? RETAIN_AS_PUBLISHED : 0))
                .i64(route.generation())
                .u32(route.subscriptionIdentifier())
                .toBytes();
    }

    @Override
    public RouteKey readKey(RecordReader key) {
        key.version(NAME, VERSION);
        int kind = key.u8();
        if (kind != OF_SESSION) {
            throw key.broken(NAME + " of kind " + kind + ", which this broker does not know");
        }
        String clientId = key.text();
        String topicFilter = key.text();
        key.finish();
        if (clientId.isEmpty() || topicFilter.isEmpty()) {
            throw key.broken(NAME + " without client id or topic filter");
        }
        return new RouteKey(new ClientId(clientId), topicFilter);
    }

    @Override
    public Route readValue(RouteKey key, RecordReader value) {
        value.version(NAME, VERSION);
        int flags = value.u8();
        long generation = value.i64();
        long identifier = value.u32();
        value.finish();
        if (identifier > MAXIMUM_IDENTIFIER) {
            throw value.broken("Subscription Identifier " + identifier + " does not exist");
        }
        return new Route(
                key.clientId(),
                key.topicFilter(),
                generation,
                MessageFormat.qos(flags & QOS, value),
                (flags & NO_LOCAL) != 0,
                (flags & RETAIN_AS_PUBLISHED) != 0,
                (int) identifier);
    }
}
