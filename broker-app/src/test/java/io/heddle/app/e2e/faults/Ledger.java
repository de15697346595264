package io.heddle.app.e2e.faults;

import io.heddle.app.e2e.faults.MessageStream.Kind;
import io.heddle.app.e2e.faults.MessageStream.Sent;
import io.heddle.app.e2e.faults.SessionLog.Subscription;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Records what clients publish, subscribe to and receive. Each session must receive each acknowledged message that was first sent after its
 * SUBACK, and so must one member of each group of persistent sessions; QoS 2 messages and wills come once, and the messages of a stream in
 * their order. Forbidden deliveries are reported at once, missing ones when asked for. Confined to the clients' event loop.
 */
final class Ledger {
    static final long NEVER = Long.MAX_VALUE;
    private static final int SHOWN = 30;

    private final Map<String, MessageStream> streams = new LinkedHashMap<>();
    private final Set<SessionLog> sessions = new LinkedHashSet<>();
    // QoS 2 messages that a member has received, by filter of the group.
    private final Map<String, Map<MessageStream, BitSet>> takenByGroups = new HashMap<>();
    // Wills that arrived although no loss of their connection is known.
    private final Map<Sent, Long> early = new LinkedHashMap<>();
    private final List<String> reports = new ArrayList<>();
    private long moment;
    private long published;
    private long acknowledged;
    private long received;

    /** Returns the present moment: each event is one. */
    long now() {
        return moment;
    }

    long next() {
        return ++moment;
    }

    MessageStream stream(String name, String topic, int qos, Kind kind) {
        MessageStream stream = new MessageStream(name, topic, qos, kind);
        streams.put(name, stream);
        return stream;
    }

    SessionLog begin(String clientId, boolean persistent) {
        SessionLog session = new SessionLog(this, clientId, persistent);
        sessions.add(session);
        return session;
    }

    /** The session of a lost connection has ended with it. */
    void end(SessionLog session) {
        sessions.remove(session);
    }

    /** @param connection number of the publisher's connection */
    Sent publish(MessageStream stream, int connection) {
        published++;
        Sent sent = stream.next(connection, next());
        sent.abandoned = stream.qos == 0;
        return sent;
    }

    void acknowledged(Sent sent) {
        if (!sent.isAcknowledged()) {
            acknowledged++;
            sent.stream.acknowledged(sent, next());
        }
    }

    /** A client sends CONNECT with a will, which is not due yet. */
    Sent announceWill(MessageStream stream) {
        return stream.next(0, NEVER);
    }

    /** A will may be published once, or never. */
    void willIsPossible(Sent will) {
        early.remove(will);
        will.abandoned = true;
    }

    /**
     * The connection of a will was lost.
     *
     * @param lastHeard when the connection was known to exist
     */
    void willIsDue(Sent will, long lastHeard) {
        early.remove(will);
        will.sent = lastHeard;
        will.stream.acknowledged(will, next());
    }

    /**
     * A message has arrived, other than the repetition of an unfinished QoS 2 exchange. Returns when it was sent; 0 if that is forgotten.
     */
    long received(SessionLog session, String payload, int qos, boolean duplicate, boolean retained) {
        received++;
        MessageStream stream = streams.get(MessageStream.nameOf(payload));
        if (stream == null) {
            report(session + " has received " + payload + ", which no client sends");
            return 0;
        }
        int number = MessageStream.numberOf(payload);
        session.received(stream, number, qos, duplicate, retained);
        Sent sent = stream.find(number);
        if (sent == null) {
            return 0;
        }
        if (stream.kind == Kind.WILLS && !sent.isFinal()) {
            early.putIfAbsent(sent, System.nanoTime());
            return 0;
        }
        return sent.sent;
    }

    /** A member of a group has received a QoS 2 message for the first time. */
    void takenByGroup(List<Subscription> matching, MessageStream stream, int number, SessionLog member) {
        // A session that has subscribed again is still one member.
        Set<String> groups = matching.stream().map(each -> each.filter).collect(Collectors.toSet());
        for (String group : groups) {
            BitSet taken = takenByGroups
                    .computeIfAbsent(group, _ -> new HashMap<>())
                    .computeIfAbsent(stream, _ -> new BitSet());
            if (taken.get(number)) {
                report(member + " has received the QoS 2 message " + stream.name + ":" + number
                        + ", which another member of " + group + " has");
            }
            taken.set(number);
        }
    }

    void report(String forbidden) {
        if (reports.size() < SHOWN) {
            reports.add(forbidden);
        }
    }

    /** Returns the forbidden deliveries. */
    List<String> reports() {
        return List.copyOf(reports);
    }

    /** Reports the wills that arrived earlier than this {@link System#nanoTime} although their connections still exist. */
    void reportEarlyWills(long beforeNanos) {
        early.forEach((will, nanos) -> {
            if (nanos - beforeNanos < 0) {
                report("the will " + will.payload() + " was published although its connection exists");
            }
        });
    }

    /** Returns deliveries that are due of messages acknowledged up to the moment, a bounded number of them. */
    List<String> missing(long upTo) {
        List<String> missing = new ArrayList<>();
        for (MessageStream stream : streams.values()) {
            for (Sent sent : stream.forgetSettled(
                    each -> !each.isAcknowledged() || missing(each).isEmpty())) {
                if (sent.acknowledged <= upTo && missing.size() < SHOWN) {
                    missing.addAll(missing(sent));
                }
            }
        }
        return missing;
    }

    private List<String> missing(Sent sent) {
        List<String> missing = new ArrayList<>();
        Set<String> groups = new LinkedHashSet<>();
        for (SessionLog session : sessions) {
            if (session.owes(sent) && !session.has(sent)) {
                missing.add(sent + " has not reached " + session);
            }
            for (Subscription subscription : session.subscriptions()) {
                if (subscription.isShared() && subscription.owes(sent)) {
                    groups.add(subscription.filter);
                }
            }
        }
        for (String group : groups) {
            List<SessionLog> members = membersOf(group);
            if (members.stream().allMatch(SessionLog::isPersistent)
                    && members.stream().noneMatch(each -> each.has(sent))) {
                missing.add(sent + " has not reached any member of " + group);
            }
        }
        return missing;
    }

    private List<SessionLog> membersOf(String group) {
        return sessions.stream()
                .filter(session -> session.subscriptions().stream().anyMatch(each -> each.filter.equals(group)))
                .toList();
    }

    /** Returns the number of the last acknowledged message of each stream of retained messages. */
    Map<String, Integer> lastRetained() {
        Map<String, Integer> last = new LinkedHashMap<>();
        streams.values().stream()
                .filter(stream -> stream.kind == Kind.RETAINED && stream.lastAcknowledged() > 0)
                .forEach(stream -> last.put(stream.name, stream.lastAcknowledged()));
        return last;
    }

    /** Describes how much the ledger has seen. */
    String totals() {
        long wills = streams.values().stream()
                .filter(stream -> stream.kind == Kind.WILLS)
                .mapToInt(MessageStream::count)
                .sum();
        return published + " published, " + acknowledged + " acknowledged, " + received + " received, " + wills
                + " connections with wills";
    }
}
