package io.heddle.app.settings;

import io.heddle.core.lifecycle.StartupException;
import io.heddle.core.session.QueueLimits;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of sessions.
 *
 * @param maximumSubscriptions how many subscriptions one client may have; a further one is answered with reason code 0x97
 * @param maximumSessions how many sessions the node keeps, connected or not; a client above it is refused with reason code 0x97
 * @param maximumExpiry the longest that a session outlives its connection, also for clients of MQTT 3.x, whose sessions would
 *     otherwise never end; 50000d or more means no limit
 * @param maximumKeepAlive the longest keep alive, told to clients of MQTT 5.0 that ask for a longer one or for none; 0s means no
 *     limit
 * @param receiveMaximum how many QoS 1 and 2 messages a client may have under way to the broker, 1 to 65535; announced to MQTT
 *     5.0 clients
 * @param maximumInFlight how many QoS 1 and 2 messages a client is sent before it acknowledges some, 1 to 32767
 * @param topicAliasMaximum how many topic aliases a client may set, 0 to 65535
 * @param maximumQueuedMessages how many QoS 1 and 2 messages wait for one client
 * @param maximumQueuedBytes how many bytes of them wait for one client
 * @param queueOverflow what gives way when too much waits for a client: drop_oldest or reject_newest; either is counted
 * @param memoryLimit what all sessions of the node together may hold of messages that wait or are unacknowledged; 0B means a
 *     quarter of the heap
 */
public record SessionLimits(
        @DefaultValue("1000") int maximumSubscriptions,
        @DefaultValue("1000000") int maximumSessions,
        @DefaultValue("50000d") Duration maximumExpiry,
        @DefaultValue("0s") Duration maximumKeepAlive,
        @DefaultValue("1000") int receiveMaximum,
        @DefaultValue("100") int maximumInFlight,
        @DefaultValue("32") int topicAliasMaximum,
        @DefaultValue("1000") int maximumQueuedMessages,
        @DefaultValue("4MB") DataSize maximumQueuedBytes,
        @DefaultValue("drop_oldest") QueueLimits.Overflow queueOverflow,
        @DefaultValue("0B") DataSize memoryLimit) {
    private static final long FOREVER_SECONDS = 4_294_967_295L;
    private static final int SHARE_OF_HEAP = 4;

    public SessionLimits {
        require("maximum-subscriptions", maximumSubscriptions, 1, Integer.MAX_VALUE);
        require("maximum-sessions", maximumSessions, 1, Integer.MAX_VALUE);
        require("receive-maximum", receiveMaximum, 1, 65_535);
        require("maximum-in-flight", maximumInFlight, 1, 32_767);
        require("topic-alias-maximum", topicAliasMaximum, 0, 65_535);
        require("maximum-queued-messages", maximumQueuedMessages, 1, Integer.MAX_VALUE);
        if (maximumExpiry.isNegative()) {
            throw new StartupException(
                    "heddle.session.maximum-expiry is " + maximumExpiry + ": set it to 0s or more, such as 7d", null);
        }
        if (maximumKeepAlive.isNegative() || maximumKeepAlive.toSeconds() > 65_535) {
            throw new StartupException(
                    "heddle.session.maximum-keep-alive is " + maximumKeepAlive
                            + ": set it to 1s to 65535s, or 0s for no limit",
                    null);
        }
        if (maximumQueuedBytes.toBytes() < 1) {
            throw new StartupException(
                    "heddle.session.maximum-queued-bytes is " + maximumQueuedBytes + ": set it to 1KB or more", null);
        }
        if (memoryLimit.isNegative()) {
            throw new StartupException(
                    "heddle.session.memory-limit is " + memoryLimit
                            + ": set it to 1MB or more, or 0B for a quarter of the heap",
                    null);
        }
    }

    private static void require(String name, int value, int least, int most) {
        if (value < least || value > most) {
            throw new StartupException(
                    "heddle.session." + name + " is " + value + ": set it to " + least + " to " + most, null);
        }
    }

    /** What all sessions may hold, in bytes. */
    public long memoryLimitBytes() {
        return memoryLimit.toBytes() == 0 ? Runtime.getRuntime().maxMemory() / SHARE_OF_HEAP : memoryLimit.toBytes();
    }

    /** The longest session expiry in the standard's seconds. */
    public long maximumExpirySeconds() {
        return Math.min(maximumExpiry.toSeconds(), FOREVER_SECONDS);
    }

    /** What waits for a client. */
    public QueueLimits toQueueLimits() {
        return new QueueLimits(maximumQueuedMessages, maximumQueuedBytes.toBytes(), queueOverflow);
    }
}
