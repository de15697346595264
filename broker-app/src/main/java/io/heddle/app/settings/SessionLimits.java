package io.heddle.app.settings;

import io.heddle.core.session.outbound.QueueLimits;
import io.heddle.persistence.SettingRule;
import java.time.Duration;
import org.springframework.boot.context.properties.bind.DefaultValue;
import org.springframework.util.unit.DataSize;

/**
 * Limits of sessions.
 *
 * @param maximumSubscriptions maximum number of subscriptions of a client; further ones are refused with reason code 0x97, and so is each
 * filter of
 *     a SUBSCRIBE packet that has more filters than that and more than 1,000; an UNSUBSCRIBE packet with as many closes the connection
 * @param maximumSessions maximum number of sessions of the node, connected or not; further clients are refused with reason code 0x97
 * @param maximumExpiry maximum session expiry interval, also for clients of MQTT 3.x; 50000d or more means no limit
 * @param version3Expiry session expiry interval of clients of MQTT 3.1 and 3.1.1 with Clean Session 0, which cannot say it themselves; not of
 *     clients whose credentials name their client ids; at most heddle.session.maximum-expiry; 50000d or more means no limit
 * @param maximumKeepAlive maximum keep alive, sent to MQTT 5.0 clients that request a longer one or none; 0s means no limit
 * @param receiveMaximum maximum number of unacknowledged QoS 1 and 2 messages from a client, 1 to 65535; announced to MQTT 5.0 clients
 * @param maximumInFlight maximum number of unacknowledged QoS 1 and 2 messages to a client, 1 to 32767
 * @param topicAliasMaximum maximum number of topic aliases that a client may set, 0 to 65535
 * @param maximumQueuedMessages maximum number of QoS 1 and 2 messages in the queue of a client
 * @param maximumQueuedBytes maximum size of the messages in the queue of a client; a session that ends with its connection may have as many
 *     again that are sent and unacknowledged
 * @param queueOverflow message to discard when a queue is full: drop_oldest or reject_newest; either is counted
 * @param maximumUnreleased maximum number of QoS 2 messages of a client that wait for its PUBREL, including those of its earlier connections;
 *     further ones are refused with reason code 0x97, in MQTT 3.x by closing the connection
 * @param maximumPersistentPerUser maximum number of persistent sessions of a user, or of the anonymous clients of an address; further
 * clients are
 *     refused with reason code 0x97. Client ids that credentials name do not count; 0 means half of heddle.session.maximum-sessions
 * @param memoryLimit memory of all sessions of the node: sessions, queued and unacknowledged messages, subscriptions, topic aliases and wills.
 *     Persistent sessions may use three quarters of it. A message counts once, even if several sessions hold it. No session may use more than
 *     a quarter of the free part; an eighth is reserved for new sessions, for small ones and for clients that acknowledge their messages.
 *     0B means a quarter of the heap
 */
public record SessionLimits(
        @DefaultValue("10000") int maximumSubscriptions,
        @DefaultValue("1000000") int maximumSessions,
        @DefaultValue("50000d") Duration maximumExpiry,
        @DefaultValue("30d") Duration version3Expiry,
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
                "heddle.session.version3-expiry", version3Expiry, Duration.ofSeconds(1), Duration.ofDays(1_000_000));
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

    public long memoryLimitBytes() {
        return HeapShare.SESSIONS.bytes(memoryLimit);
    }

    public int persistentPerUser() {
        return maximumPersistentPerUser == 0 ? Math.max(1, maximumSessions / 2) : maximumPersistentPerUser;
    }

    /** Returns the maximum session expiry as in a packet: at most 4,294,967,295 seconds. */
    public long maximumExpirySeconds() {
        return Math.min(maximumExpiry.toSeconds(), FOREVER_SECONDS);
    }

    /** Returns the session expiry of clients of MQTT 3.x as in a packet: at most 4,294,967,295 seconds. */
    public long version3ExpirySeconds() {
        return Math.min(version3Expiry.toSeconds(), FOREVER_SECONDS);
    }

    public QueueLimits toQueueLimits() {
        return new QueueLimits(maximumQueuedMessages, maximumQueuedBytes.toBytes(), queueOverflow);
    }
}
