package io.heddle.core.session.persistent;

import io.heddle.core.client.ClientType;
import io.heddle.core.mqtt.packet.WillMessage;
import io.heddle.core.subscription.Subscription;
import java.util.Collection;

/**
 * Two numbers that are equal on nodes with the same persistent sessions and subscriptions. They do not depend on an order.
 *
 * @param sessions of the records of the sessions
 * @param subscriptions of the subscriptions of these sessions, with their options
 */
public record SessionChecksums(long sessions, long subscriptions) {
    /** Goes through all sessions on the calling thread, which takes up to a second for a million. Changes meanwhile may be missed. */
    public static SessionChecksums of(Collection<PersistentSession> all) {
        long sessions = 0;
        long subscriptions = 0;
        for (PersistentSession session : all) {
            long client = session.clientId().value().hashCode();
            sessions += ofRecord(client, session.record());
            for (Subscription subscription : session.subscriptions().values()) {
                subscriptions += ofSubscription(mixed(client, session.generation()), subscription);
            }
        }
        return new SessionChecksums(sessions, subscriptions);
    }

    private static long ofRecord(long client, SessionRecord record) {
        String userName = record.userName();
        WillMessage will = record.will();
        long sum = mixed(client, record.generation());
        sum = mixed(sum, record.type() == ClientType.DEVICE ? 1 : 2);
        sum = mixed(sum, userName == null ? 0 : userName.hashCode());
        sum = mixed(sum, record.expirySeconds());
        sum = mixed(sum, record.owner().hashCode());
        sum = mixed(sum, record.epoch());
        sum = mixed(sum, record.awaySinceMillis());
        return will == null ? sum : ofWill(sum, will);
    }

    private static long ofWill(long before, WillMessage will) {
        long sum = mixed(before, will.topic().value().hashCode());
        sum = mixed(sum, will.payload().hashCode());
        sum = mixed(sum, will.qos().level());
        sum = mixed(sum, will.retain() ? 1 : 0);
        sum = mixed(sum, will.delaySeconds());
        return mixed(sum, will.properties().hashCode());
    }

    private static long ofSubscription(long session, Subscription subscription) {
        long sum = mixed(session, subscription.topicFilter().value().hashCode());
        sum = mixed(sum, subscription.terms().maximumQos().level());
        sum = mixed(sum, subscription.noLocal() ? 1 : 0);
        sum = mixed(sum, subscription.terms().retainAsPublished() ? 1 : 0);
        return mixed(sum, subscription.identifier());
    }

    private static long mixed(long sum, long part) {
        // The finalizer of MurmurHash3.
        long mixed = (sum * 31 + part) * 0xff51afd7ed558ccdL;
        mixed = (mixed ^ (mixed >>> 33)) * 0xc4ceb9fe1a85ec53L;
        return mixed ^ (mixed >>> 33);
    }
}
