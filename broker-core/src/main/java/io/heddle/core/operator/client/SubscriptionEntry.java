package io.heddle.core.operator.client;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.subscription.Subscription;

/**
 * A subscription of a client.
 *
 * @param topicFilter as the client has sent it, with {@code $share/} if it is shared
 * @param qos granted
 * @param identifier of the subscription; 0 for none
 */
public record SubscriptionEntry(
        String topicFilter, QoS qos, boolean noLocal, boolean retainAsPublished, int identifier) {
    private static final int NO_LOCAL = 1;
    private static final int RETAIN_AS_PUBLISHED = 1 << 1;

    /** Returns the entry of a subscription. */
    public static SubscriptionEntry of(Subscription subscription) {
        return new SubscriptionEntry(
                subscription.topicFilter().value(),
                subscription.terms().maximumQos(),
                subscription.noLocal(),
                subscription.terms().retainAsPublished(),
                subscription.identifier());
    }

    /** Writes: text filter, u8 QoS, u8 options (1 No Local, 2 Retain As Published), u32 identifier. */
    public void write(BinaryWriter out) {
        out.text(topicFilter)
                .u8(qos.level())
                .u8((noLocal ? NO_LOCAL : 0) | (retainAsPublished ? RETAIN_AS_PUBLISHED : 0))
                .u32(identifier);
    }

    /** Reads what {@link #write} has written. */
    public static SubscriptionEntry read(FrameReader in) {
        String filter = in.text();
        QoS qos = in.qos(in.u8());
        int options = in.u8();
        return new SubscriptionEntry(
                filter, qos, (options & NO_LOCAL) != 0, (options & RETAIN_AS_PUBLISHED) != 0, (int) in.u32());
    }
}
