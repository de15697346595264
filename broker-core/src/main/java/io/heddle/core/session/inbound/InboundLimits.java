package io.heddle.core.session.inbound;

import java.time.Duration;

/**
 * The limits of what one client publishes.
 *
 * @param receiveMaximum the highest number of QoS 1 and 2 messages in flight from the client, 1 to 65,535
 * @param topicAliasMaximum the highest Topic Alias of the client, 0 to 65,535
 * @param maximumUnreleased the highest number of QoS 2 messages that wait for the client's PUBREL
 * @param congestionPatience the longest pause of a publisher of QoS 0 messages
 */
public record InboundLimits(
        int receiveMaximum, int topicAliasMaximum, int maximumUnreleased, Duration congestionPatience) {}
