package io.heddle.core.session;

import io.heddle.core.session.inbound.InboundLimits;
import io.heddle.core.session.outbound.QueueLimits;
import java.time.Duration;

/**
 * The limits of a session, and what CONNACK announces of them.
 *
 * @param maximumPacketSize in bytes: the largest packet that clients may send; announced, and enforced by the codec
 * @param maximumTopicLevels the deepest topic filter and will topic accepted
 * @param maximumSubscriptions how many subscriptions one session may have
 * @param maximumSessions how many sessions a node keeps, connected or not; at least 1
 * @param maximumExpirySeconds the longest that a session outlives its connection, 0 to 4,294,967,295, which means for ever
 * @param maximumKeepAliveSeconds the longest Keep Alive, 1 to 65,535, or 0 for no limit; a client of MQTT 5.0 that asks for
 *     more, or for none, is told this one
 * @param receiveMaximum how many QoS 2 messages a client may have under way to the broker, 1 to 65,535
 * @param maximumInFlight how many QoS 1 and 2 messages a client is sent before it acknowledges some, 1 to 32,767; its own
 *     Receive Maximum may be lower
 * @param topicAliasMaximum how many topic aliases a client may set, 0 to 65,535
 * @param queue what waits for a client
 * @param maximumUnreleased how many QoS 2 messages of a client may wait for its PUBREL, those of earlier connections included
 * @param maximumPersistentPerOwner how many persistent sessions one user, or the anonymous clients of one address, may have
 * @param slowReaderPatience how long publishers of QoS 0 messages wait for a client that does not keep up
 */
public record SessionSettings(
        int maximumPacketSize,
        int maximumTopicLevels,
        int maximumSubscriptions,
        int maximumSessions,
        long maximumExpirySeconds,
        int maximumKeepAliveSeconds,
        int receiveMaximum,
        int maximumInFlight,
        int topicAliasMaximum,
        QueueLimits queue,
        int maximumUnreleased,
        int maximumPersistentPerOwner,
        Duration slowReaderPatience) {
    /** The limits of what one client publishes. */
    InboundLimits inbound() {
        return new InboundLimits(receiveMaximum, topicAliasMaximum, maximumUnreleased, slowReaderPatience);
    }
}
