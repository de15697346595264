package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.faults.MessageStream.Kind;
import io.heddle.app.e2e.faults.MessageStream.Sent;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** The subscriptions of one session and the messages that it has received. Confined to the clients' event loop. */
final class SessionLog {
    private static final String SHARE = "$share/";
    private static final int REMEMBERED_ENDED_SUBSCRIPTIONS = 20;

    /** A subscription between SUBSCRIBE and UNSUBSCRIBE. */
    static final class Subscription {
        final String filter;
        final int qos;
        private final String topicFilter;
        private long acknowledged = Ledger.NEVER;
        private long ended = Ledger.NEVER;

        private Subscription(String filter, int qos) {
            this.filter = filter;
            this.qos = qos;
            this.topicFilter = isShared() ? filter.substring(filter.indexOf('/', SHARE.length()) + 1) : filter;
        }

        boolean isShared() {
            return filter.startsWith(SHARE);
        }

        boolean isAcknowledged() {
            return acknowledged != Ledger.NEVER;
        }

        /** Returns whether an acknowledged message must reach the session, or a member of the group. */
        boolean owes(Sent message) {
            return acknowledged < message.sent && ended > message.acknowledged && matches(message.stream.topic);
        }

        private boolean matches(String topic) {
            if (topicFilter.endsWith("#") || topicFilter.endsWith("+")) {
                return topic.startsWith(topicFilter.substring(0, topicFilter.length() - 1));
            }
            return topic.equals(topicFilter);
        }
    }

    private static final class Receipts {
        final BitSet seen = new BitSet();
        final BitSet inThisConnection = new BitSet();
        int latest;
        int latestConnection;
    }

    private final Ledger ledger;
    private final String clientId;
    private final boolean persistent;
    private final List<Subscription> subscriptions = new ArrayList<>();
    private final Map<MessageStream, Receipts> receipts = new HashMap<>();

    SessionLog(Ledger ledger, String clientId, boolean persistent) {
        this.ledger = ledger;
        this.clientId = clientId;
        this.persistent = persistent;
    }

    boolean isPersistent() {
        return persistent;
    }

    List<Subscription> subscriptions() {
        return subscriptions;
    }

    /** The client sends SUBSCRIBE. */
    Subscription subscribe(String filter, int qos) {
        Subscription subscription = new Subscription(filter, qos);
        subscriptions.add(subscription);
        if (subscriptions.stream().filter(each -> each.ended != Ledger.NEVER).count()
                > REMEMBERED_ENDED_SUBSCRIPTIONS) {
            subscriptions.remove(subscriptions.stream()
                    .filter(each -> each.ended != Ledger.NEVER)
                    .findFirst()
                    .orElseThrow());
        }
        return subscription;
    }

    /** SUBACK has arrived. */
    void subscribed(Subscription subscription) {
        subscription.acknowledged = ledger.next();
    }

    /** The client sends UNSUBSCRIBE, or will send SUBSCRIBE again because it has lost its connection before SUBACK. */
    void end(Subscription subscription) {
        subscription.ended = Math.min(subscription.ended, ledger.next());
    }

    void reconnected() {
        receipts.values().forEach(each -> each.inThisConnection.clear());
    }

    boolean has(Sent sent) {
        Receipts of = receipts.get(sent.stream);
        return of != null && of.seen.get(sent.number);
    }

    boolean owes(Sent sent) {
        return subscriptions.stream().anyMatch(each -> !each.isShared() && each.owes(sent));
    }

    /**
     * A message has arrived that is not the repetition of an unfinished QoS 2 exchange.
     *
     * @param qos of the delivery
     */
    void received(MessageStream stream, int number, int qos, boolean duplicate, boolean retained) {
        String message = stream.name + ":" + number;
        List<Subscription> matching = subscriptions.stream()
                .filter(each -> each.matches(stream.topic))
                .toList();
        if (matching.isEmpty()) {
            ledger.report(this + " has received " + message + ", to which it is not subscribed");
            return;
        }
        if (number < 1 || number > stream.count()) {
            ledger.report(this + " has received " + message + ", which was never sent");
            return;
        }
        Receipts of = receipts.computeIfAbsent(stream, _ -> new Receipts());
        boolean isNew = !of.seen.get(number);
        boolean inThisConnection = of.inThisConnection.get(number);
        of.seen.set(number);
        of.inThisConnection.set(number);
        if (retained) {
            return;
        }
        if (!isNew) {
            requireAllowedRepetition(stream, message, number, qos, duplicate || !inThisConnection);
        } else if (matching.stream().noneMatch(Subscription::isShared)) {
            requireOrder(stream, number, matching, of);
        } else if (qos == 2) {
            ledger.takenByGroup(matching, stream, number, this);
        }
    }

    private void requireAllowedRepetition(
            MessageStream stream, String message, int number, int qos, boolean afterReconnect) {
        boolean allowed = qos == 1 && (afterReconnect || stream.isRepeated(number));
        if (!allowed) {
            ledger.report(this + " has received " + message + " twice at QoS " + qos + " of " + stream.qos);
        }
    }

    private void requireOrder(MessageStream stream, int number, List<Subscription> matching, Receipts of) {
        Sent sent = stream.find(number);
        if (stream.kind == Kind.WILLS
                || sent == null
                || matching.stream().noneMatch(each -> each.acknowledged < sent.sent && each.ended == Ledger.NEVER)) {
            return;
        }
        // A publisher without a session does not wait for what it has sent over an earlier connection, perhaps to
        // another node.
        boolean isLeftover = sent.abandoned && sent.connection < of.latestConnection;
        if (number < of.latest && !isLeftover) {
            ledger.report(this + " has received " + sent + " for the first time after number " + of.latest);
        }
        if (number > of.latest) {
            of.latest = number;
            of.latestConnection = sent.connection;
        }
    }

    @Override
    public String toString() {
        return (persistent ? "the session of " : "a session without expiry of ") + clientId;
    }
}
