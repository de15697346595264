package io.heddle.core.operator.client;

import io.heddle.core.client.ClientId;
import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import org.jspecify.annotations.Nullable;

/**
 * A page of the subscribers whose subscriptions match a topic, or of those of one filter.
 *
 * @param of the topic, or the filter
 * @param after the subscriber behind which the page begins; null for the first page
 * @param limit the highest number of subscribers, 1 to {@value ClientQuery#MAXIMUM_LIMIT}
 */
public record SubscriberQuery(Of of, @Nullable Position after, int limit) {
    private static final int TOPIC = 1;
    private static final int FILTER = 2;

    /** What is subscribed to. */
    public sealed interface Of {
        /** All filters that match a topic. */
        record Topic(TopicName topic) implements Of {}

        /** One filter; with {@code $share/}, one group. */
        record Filter(TopicFilter filter) implements Of {}
    }

    /** The place of a subscriber in the list. Positions are ordered by the client id, then by the filter. */
    public record Position(String clientId, String topicFilter) implements Comparable<Position> {
        @Override
        public int compareTo(Position other) {
            int byClient = clientId.compareTo(other.clientId);
            return byClient == 0 ? topicFilter.compareTo(other.topicFilter) : byClient;
        }
    }

    public SubscriberQuery {
        if (limit < 1 || limit > ClientQuery.MAXIMUM_LIMIT) {
            throw new IllegalArgumentException(
                    "a page has 1 to " + ClientQuery.MAXIMUM_LIMIT + " subscribers, not " + limit);
        }
    }

    /** Returns: u8 1 for a topic, 2 for a filter; its text; u8 1 and two texts, or u8 0, the position; u16 limit. */
    byte[] encode() {
        BinaryWriter out = ClientFormat.write();
        switch (of) {
            case Of.Topic(TopicName topic) -> out.u8(TOPIC).text(topic.value());
            case Of.Filter(TopicFilter filter) -> out.u8(FILTER).text(filter.value());
        }
        if (after == null) {
            out.u8(0);
        } else {
            out.u8(1).text(after.clientId()).text(after.topicFilter());
        }
        return out.u16(limit).toBytes();
    }

    static SubscriberQuery decode(byte[] bytes) {
        FrameReader in = ClientFormat.read("a question about subscribers", bytes);
        int kind = in.u8();
        Of of = switch (kind) {
            case TOPIC -> new Of.Topic(in.topic());
            case FILTER -> new Of.Filter(in.filter());
            default -> throw in.malformed("its kind is " + kind);
        };
        ClientId afterId = in.u8() == 0 ? null : ClientFormat.clientId(in);
        Position after = afterId == null ? null : new Position(afterId.value(), in.text());
        int limit = in.u16();
        in.finish();
        if (limit < 1 || limit > ClientQuery.MAXIMUM_LIMIT) {
            throw in.malformed("its limit is " + limit);
        }
        return new SubscriberQuery(of, after, limit);
    }
}
