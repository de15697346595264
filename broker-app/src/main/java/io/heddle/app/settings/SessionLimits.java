package io.heddle.app.settings;

import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.persistence.SettingRule;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of sessions.
 *
 * @param maximumSubscriptions how many subscriptions one client may have; a further one is answered with reason code 0x97, and so is each
 *     filter of a SUBSCRIBE that names more filters than that and more than 1,000; such an UNSUBSCRIBE ends the connection
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
 * @param maximumQueuedBytes how many bytes of them wait for one client; of a session that ends with its connection as many again may be
 *     sent and not acknowledged
 * @param queueOverflow what gives way when too much waits for a client: drop_oldest or reject_newest; either is counted
 * @param maximumUnreleased how many QoS 2 messages of one client may wait for its PUBREL, those of its earlier connections included; a
 *     further one is refused with reason code 0x97, in MQTT 3.x by closing the connection
 * @param maximumPersistentPerUser how many sessions that outlive their connections one user may have, or the anonymous clients of one
 *     address; a client above it is refused with reason code 0x97. Client ids that credentials name do not count; 0 means half of
 *     heddle.session.maximum-sessions
 * @param memoryLimit what all sessions of the node together may hold: themselves, messages that wait or are unacknowledged,
 *     subscriptions, topic aliases and wills; what outlives connections has three quarters of it; a message counts once, however many
 *     sessions hold it; no session may take more than a quarter of what is free, and an eighth is kept for new sessions, for small ones
 *     and for clients that acknowledge what they get; 0B means a quarter of the heap
 */
public record SessionLimits(
        @DefaultValue("1000") int maximumSubscriptions,
        @DefaultValue("1000000") int maximumSessions,
        @DefaultValue("50000d") Duration maximumExpiry,
        @DefaultValue("0s") Duration maximumKeepAlive,
        @DefaultValue("1000") int receiveMaximum,
        @DefaultValue("100") int maximumInFlight,
        @DefaultValue("10") int topicAliasMaximum,
        @DefaultValue("1000") int maximumQueuedMessages,
        @DefaultValue("4MB") DataSize maximumQueuedBytes,
        @DefaultValue("drop_oldest") QueueLimits.Overflow queueOverflow,
        @DefaultValue("5000") int maximumUnreleased,
        @DefaultValue("0") int maximumPersistentPerUser,
        @DefaultValue("0B") DataSize memoryLimit) {
    private static final long FOREVER_SECONDS = 4_294_967_295L;

    public SessionLimits {
        SettingRule.between("heddle.session.maximum-subscriptions", maximumSubscriptions, 1, 1_000_000);
        SettingRule.between("heddle.session.maximum-sessions", maximumSessions, 1, Integer.MAX_VALUE);
        SettingRule.between("heddle.session.maximum-expiry", maximumExpiry, Duration.ZERO, Duration.ofDays(1_000_000));
        SettingRule.between(
                "heddle.session.maximum-keep-alive", maximumKeepAlive, Duration.ZERO, Duration.ofSeconds(65_535));
        SettingRule.between("heddle.session.receive-maximum", receiveMaximum, 1, 65_535);
        SettingRule.between("heddle.session.maximum-in-flight", maximumInFlight, 1, 32_767);
        SettingRule.between("heddle.session.topic-alias-maximum", topicAliasMaximum, 0, 65_535);
        SettingRule.between("heddle.session.maximum-queued-messages", maximumQueuedMessages, 1, 100_000_000);
        ByteLimit.between(
                "heddle.session.maximum-queued-bytes",
                maximumQueuedBytes,
                DataSize.ofKilobytes(1),
                DataSize.ofTerabytes(1));
        SettingRule.between("heddle.session.maximum-unreleased", maximumUnreleased, 1, 65_535);
        SettingRule.between(
                "heddle.session.maximum-persistent-per-user", maximumPersistentPerUser, 0, Integer.MAX_VALUE);
        ByteLimit.between("heddle.session.memory-limit", memoryLimit, DataSize.ofBytes(0), DataSize.ofTerabytes(1));
    }

    /** What all sessions may hold, in bytes. */
    public long memoryLimitBytes() {
        return HeapShare.SESSIONS.bytes(memoryLimit);
    }

    /** How many persistent sessions one user may have. */
    public int persistentPerUser() {
        return maximumPersistentPerUser == 0 ? Math.max(1, maximumSessions / 2) : maximumPersistentPerUser;
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
