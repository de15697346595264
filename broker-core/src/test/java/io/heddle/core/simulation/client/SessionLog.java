package io.heddle.core.simulation.client;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.simulation.SimulationFailure;
import io.heddle.core.simulation.client.Ledger.Sent;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** One session of a client: its subscriptions and what it has received. Fails at once when it receives what it must not. */
final class SessionLog {
    private static final String SHARE = "$share/";

    private final Ledger ledger;
    private final String clientId;
    private final int number;
    // True if the session ends with its connection.
    private final boolean isTransient;
    private final List<Span> spans = new ArrayList<>();
    private final Map<String, Integer> received = new HashMap<>();
    // The number of the latest message that was new, by publisher, topic and QoS.
    private final Map<String, Integer> latest = new HashMap<>();
    private final Map<String, Sent> retainedMessages = new TreeMap<>();
    private long ended = Ledger.NEVER;
    // When CONNACK confirmed the end.
    private long gone = Ledger.NEVER;

    /** A PUBLISH waits for the SUBACK before it for one second at most. */
    private static final long LONGEST_HOLD_NANOS = 1_000_000_000L;

    /** A subscription between SUBSCRIBE and UNSUBSCRIBE. */
    static final class Span {
        private final String filter;
        private final QoS qos;
        private final long sent;
        private final long sentNanos;
        private long acknowledged = Ledger.NEVER;
        private boolean isAcknowledgedInTime;
        private long ended = Ledger.NEVER;

        private Span(String filter, QoS qos, long sent, long sentNanos) {
            this.filter = filter;
            this.qos = qos;
            this.sent = sent;
            this.sentNanos = sentNanos;
        }

        String filter() {
            return filter;
        }

        private boolean owes(Sent message) {
            boolean isBefore = acknowledged < message.sent || (equals(message.behind) && isAcknowledgedInTime);
            return isBefore && ended > message.acknowledged && matches(message.topic);
        }

        private boolean isShared() {
            return filter.startsWith(SHARE);
        }

        private boolean matches(String topic) {
            String plain = isShared() ? filter.substring(filter.indexOf('/', SHARE.length()) + 1) : filter;
            if (plain.endsWith("+")) {
                return topic.startsWith(plain.substring(0, plain.length() - 1));
            }
            return plain.equals(topic);
        }
    }

    SessionLog(Ledger ledger, String clientId, int number, boolean isTransient) {
        this.ledger = ledger;
        this.clientId = clientId;
        this.number = number;
        this.isTransient = isTransient;
    }

    Span subscribe(String filter, QoS qos) {
        Span span = new Span(filter, qos, ledger.now(), ledger.world().nanoTime());
        spans.add(span);
        return span;
    }

    void subscribed(Span span) {
        span.acknowledged = ledger.now();
        span.isAcknowledgedInTime = ledger.world().nanoTime() - span.sentNanos < LONGEST_HOLD_NANOS;
    }

    void unsubscribe(String filter) {
        for (Span span : spans) {
            if (span.filter.equals(filter)) {
                span.ended = Math.min(span.ended, ledger.now());
            }
        }
    }

    boolean isSubscribed(String filter) {
        return spans.stream()
                .anyMatch(span ->
                        span.filter.equals(filter) && span.acknowledged < Ledger.NEVER && span.ended == Ledger.NEVER);
    }

    /** The client has asked for the end of the session. */
    void end() {
        ended = Math.min(ended, ledger.now());
    }

    /** The broker has confirmed the end. */
    void gone() {
        end();
        gone = Math.min(gone, ledger.now());
    }

    boolean isLive() {
        return ended == Ledger.NEVER;
    }

    boolean has(Sent sent) {
        return received.containsKey(sent.id);
    }

    int deliveries() {
        return received.size();
    }

    /** The retained messages that its subscriptions have brought, by topic. */
    Map<String, Sent> retainedMessages() {
        return retainedMessages;
    }

    /** Returns whether the session must receive an acknowledged message. */
    boolean owes(Sent sent) {
        return spans.stream().anyMatch(span -> !span.isShared() && span.owes(sent));
    }

    /** Adds the shared subscriptions of which a member must receive an acknowledged message. */
    void addGroups(Sent sent, Set<String> groups) {
        spans.stream().filter(span -> span.isShared() && span.owes(sent)).forEach(span -> groups.add(span.filter));
    }

    /**
     * Returns whether a group has had its copy of a message: a member has received it, or may have taken it along. A QoS 2 message ends with
     * the session of its member, and so does one in the log of an APPLICATION client.
     */
    boolean satisfies(Sent sent, String group) {
        return spans.stream().anyMatch(span -> span.filter.equals(group) && (has(sent) || mayTakeAlong(sent, span)));
    }

    private boolean mayTakeAlong(Sent sent, Span span) {
        if (isLive() || span.sent >= sent.acknowledged || gone < sent.sent) {
            return false;
        }
        return clientId.startsWith("app") || sent.qos.min(span.qos) == QoS.EXACTLY_ONCE;
    }

    /**
     * A message has arrived that is not the repetition of an unfinished QoS 2 exchange.
     */
    void received(Sent sent, QoS qos, boolean retained) {
        List<Span> matching =
                spans.stream().filter(span -> span.matches(sent.topic)).toList();
        if (matching.isEmpty()) {
            throw new SimulationFailure(this + " has received " + sent + ", to which it has never subscribed");
        }
        if (retained) {
            retainedMessages.put(sent.topic, sent);
            return;
        }
        int times = received.merge(sent.id, 1, Integer::sum);
        if (times > 1 && qos == QoS.EXACTLY_ONCE) {
            throw new SimulationFailure(this + " has received a QoS 2 message twice: " + sent);
        }
        // The messages of an ended member of a group come to another one, later than others and from before it
        // subscribed.
        if (times == 1 && matching.stream().noneMatch(Span::isShared)) {
            requirePresent(sent, matching);
            // A message that was sent before, and is repeated later, may be new to this session only then.
            boolean wasExpected =
                    matching.stream().anyMatch(span -> span.acknowledged < sent.sent && span.ended == Ledger.NEVER);
            if (wasExpected) {
                requireOrder(sent, qos);
            }
        }
    }

    /**
     * A frozen node may process its copy of a QoS 1 message when it continues, long after the publisher has got the acknowledgement of a copy
     * from another node. The standard allows such repetitions. A copy for another node may wait for a link while the
     * publisher repeats the message at a third one, and is matched when it arrives.
     */
    private void requirePresent(Sent sent, List<Span> matching) {
        boolean mayComeLate = sent.repeated && (sent.qos == QoS.AT_LEAST_ONCE || isTransient);
        if (!mayComeLate && matching.stream().allMatch(span -> sent.acknowledged < span.sent)) {
            throw new SimulationFailure(
                    this + " has received " + sent + ", which was acknowledged before it subscribed");
        }
    }

    private void requireOrder(Sent sent, QoS qos) {
        Integer before = latest.put(sent.order + " " + sent.topic + " " + sent.qos + " " + qos, sent.number);
        if (before != null && before > sent.number) {
            throw new SimulationFailure(
                    this + " has received " + sent + " after number " + before + " of the same publisher");
        }
    }

    @Override
    public String toString() {
        return "session " + number + " of " + clientId;
    }
}
