package io.heddle.core.session.directory;

import io.heddle.core.client.ClientId;
import io.heddle.core.mqtt.QoS;
import io.heddle.core.session.persistent.PersistentSession;
import io.heddle.core.session.persistent.SessionRecord;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.List;

/**
 * A persistent session with its subscriptions, as the directory shows it.
 *
 * @param subscriptionCount the number of subscriptions
 * @param subscriptions the subscriptions that are shown, in no order: all of them, unless their filters together exceed {@value
 *     #MAXIMUM_FILTER_CHARS} characters
 * @param fingerprint of all other values, including subscriptions that are not shown; never {@value
 *     io.heddle.core.session.persistent.PersistentSession#NOT_STORED}
 */
public record SessionEntry(
        ClientId clientId,
        SessionRecord record,
        int subscriptionCount,
        List<Subscribed> subscriptions,
        long fingerprint) {
    static final int MAXIMUM_FILTER_CHARS = 1 << 20;

    public SessionEntry {
        subscriptions = List.copyOf(subscriptions);
    }

    /**
     * A subscription.
     *
     * @param topicFilter the text of the filter as the client sent it, with the share prefix if any
     * @param qos the QoS granted by SUBACK
     * @param identifier 1 to 268,435,455, or 0 for none
     */
    public record Subscribed(String topicFilter, QoS qos, boolean noLocal, boolean retainAsPublished, int identifier) {}

    /**
     * The entry of a session at this moment. Any thread: a concurrent change may be missing, and its owner adds the client to {@link
     * io.heddle.core.session.persistent.DirtySessions} afterwards.
     */
    static SessionEntry of(PersistentSession session) {
        SessionRecord record = session.record();
        List<Subscribed> shown = new ArrayList<>(session.subscriptions().size());
        Fingerprint fingerprint = new Fingerprint()
                .add(record.generation())
                .add(record.type().name())
                .add(record.userName())
                .add(record.expirySeconds())
                .add(record.owner())
                .add(record.epoch())
                .add(record.awaySinceMillis());
        int count = 0;
        long chars = 0;
        // A sum, because the order of the subscriptions is arbitrary.
        long filters = 0;
        for (Subscription subscription : session.subscriptions().values()) {
            Subscribed subscribed = subscribed(subscription);
            count++;
            filters += fingerprint(subscribed);
            chars += subscribed.topicFilter.length();
            if (chars <= MAXIMUM_FILTER_CHARS) {
                shown.add(subscribed);
            }
        }
        long all = fingerprint.add(count).add(filters).value();
        return new SessionEntry(
                session.clientId(), record, count, shown, all == PersistentSession.NOT_STORED ? 1 : all);
    }

    private static Subscribed subscribed(Subscription subscription) {
        return new Subscribed(
                subscription.topicFilter().value(),
                subscription.terms().maximumQos(),
                subscription.noLocal(),
                subscription.terms().retainAsPublished(),
                subscription.identifier());
    }

    private static long fingerprint(Subscribed subscribed) {
        return new Fingerprint()
                .add(subscribed.topicFilter)
                .add(subscribed.qos.name())
                .add(subscribed.noLocal ? 1 : 0)
                .add(subscribed.retainAsPublished ? 1 : 0)
                .add(subscribed.identifier)
                .value();
    }

    /** The approximate number of characters that the entry takes. */
    long length() {
        long length = clientId.value().length();
        String userName = record.userName();
        if (userName != null) {
            length += userName.length();
        }
        for (Subscribed subscribed : subscriptions) {
            length += subscribed.topicFilter.length();
        }
        return length;
    }
}
