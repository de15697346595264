package io.heddle.core.session;

import io.heddle.core.authorization.TopicRules;
import io.heddle.core.session.inbound.InboundLimits;
import io.heddle.core.session.outbound.QueueLimits;
import java.time.Duration;

/**
 * The limits of sessions; CONNACK announces some of them.
 *
 * @param maximumPacketSize in bytes: the largest packet that clients may send; announced, and enforced by the codec
 * @param maximumTopicLevels the highest number of levels of a topic filter or will topic
 * @param topics the topics that clients may use
 * @param maximumSubscriptions the highest number of subscriptions of one session
 * @param maximumSessions the highest number of sessions of a node, connected or not; at least 1
 * @param maximumExpirySeconds the longest Session Expiry Interval, 0 to 4,294,967,295, which never expires
 * @param version3ExpirySeconds the Session Expiry Interval of clients of MQTT 3.x with Clean Session 0 whose credentials do not name the client
 *     id, like maximumExpirySeconds
 * @param maximumKeepAliveSeconds the longest Keep Alive, 1 to 65,535, or 0 for no limit; announced to a client of MQTT 5.0 that requests a
 *     longer one or none
 * @param receiveMaximum the highest number of QoS 1 and 2 messages in flight from a client, 1 to 65,535
 * @param maximumInFlight the highest number of QoS 1 and 2 messages in flight to a client, 1 to 32,767; its own Receive Maximum may be
 *     lower
 * @param topicAliasMaximum the highest Topic Alias of a client, 0 to 65,535
 * @param queue limits the messages that wait for a client
 * @param maximumUnreleased the highest number of QoS 2 messages of a client that wait for its PUBREL, including those of earlier
 *     connections
 * @param maximumPersistentPerOwner the highest number of persistent sessions of one user, or of the anonymous clients of one address
 * @param slowReaderPatience the longest pause of publishers of QoS 0 messages for a slow client
 */
public record SessionSettings(
        int maximumPacketSize,
        int maximumTopicLevels,
        TopicRules topics,
        int maximumSubscriptions,
        int maximumSessions,
        long maximumExpirySeconds,
        long version3ExpirySeconds,
        int maximumKeepAliveSeconds,
        int receiveMaximum,
        int maximumInFlight,
        int topicAliasMaximum,
        QueueLimits queue,
        int maximumUnreleased,
        int maximumPersistentPerOwner,
        Duration slowReaderPatience) {
    InboundLimits inbound() {
        return new InboundLimits(receiveMaximum, topicAliasMaximum, maximumUnreleased, slowReaderPatience);
    }
}
