package io.heddle.core.simulation.client;

import io.heddle.core.mqtt.QoS;
import io.heddle.core.simulation.SimProcess;
import io.heddle.core.simulation.SimulationFailure;
import io.heddle.core.simulation.World;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Records what the clients of one run publish, subscribe to and receive. A session must receive each acknowledged message that was first sent
 * after its SUBACK, despite all faults; the ledger checks this at the end of the run. It reports forbidden deliveries at once.
 */
public final class Ledger {
    static final long NEVER = Long.MAX_VALUE;

    /** Less than five seconds, because the broker may have lost the connection before the client. */
    private static final long LONGEST_WAIT_NANOS = 4_900_000_000L;

    private final World world;
    private final Interruptions interruptions;
    private final Function<String, @Nullable String> retained;
    private final List<SimClient> clients = new ArrayList<>();
    private final Map<String, Sent> messages = new LinkedHashMap<>();
    private final List<SessionLog> sessions = new ArrayList<>();
    private final Map<String, Sent> wills = new LinkedHashMap<>();

    /** @param retained returns the last stored payload of a topic, or null */
    public Ledger(World world, Interruptions interruptions, Function<String, @Nullable String> retained) {
        this.world = world;
        this.interruptions = interruptions;
        this.retained = retained;
    }

    void add(SimClient client) {
        clients.add(client);
    }

    /** A client has got SUBACK. Another client publishes soon, perhaps through another node. */
    void subscribed(String filter) {
        if (filter.startsWith("t/")) {
            SimClient publisher = clients.get(world.random().nextInt(clients.size()));
            world.after(world.environment(), world.random().nextLong(1_000), () -> publisher.publishTo(filter));
        }
    }

    /** The time of the run: one step is one moment. */
    long now() {
        return world.steps();
    }

    World world() {
        return world;
    }

    /** A published message, or a will. */
    static final class Sent {
        final String id;
        final String order;
        final String topic;
        final QoS qos;
        final boolean retain;
        final int number;
        long sent;
        long acknowledged = NEVER;

        // The publisher has sent it without waiting for the SUBACK of this subscription.
        SessionLog.@Nullable Span behind;

        // The publisher will not send it again.
        boolean abandoned;
        // The publisher has sent it over several connections, which may lead to several nodes.
        boolean repeated;
        // Acknowledged by a node whose clock had stood still: subscriptions that were made meanwhile may miss it (ADR
        // 19).
        boolean isDoubtful;

        Sent(String id, String order, String topic, QoS qos, boolean retain, int number, long sent) {
            this.id = id;
            this.order = order;
            this.topic = topic;
            this.qos = qos;
            this.retain = retain;
            this.number = number;
            this.sent = sent;
        }

        boolean isAcknowledged() {
            return acknowledged != NEVER;
        }

        @Override
        public String toString() {
            return id + " on " + topic + " at " + qos;
        }
    }

    /** @param order messages of the same topic and QoS reach a session in order if this is the same */
    Sent publish(String clientId, String order, String topic, QoS qos, boolean retain) {
        int number = messages.size();
        Sent sent = new Sent(clientId + ":" + number, order, topic, qos, retain, number, now());
        messages.put(sent.id, sent);
        return sent;
    }

    /** The will of a connection that begins. Those of transient sessions have RETAIN, and some others. */
    Sent announceWill(String clientId, boolean isTransient) {
        String id = "will:" + clientId + ":" + wills.size();
        boolean retain = isTransient || wills.size() % 3 == 0;
        Sent will = new Sent(id, id, "w/" + clientId, QoS.EXACTLY_ONCE, retain, wills.size(), now());
        wills.put(id, will);
        return will;
    }

    /**
     * A connection to a node was lost. The will of a persistent session reaches each session that stays subscribed from now on.
     *
     * @return what the next CONNACK proves about the will of a session that has ended with its connection; else null
     */
    @Nullable
    LostWill willIsDue(Sent will, boolean isTransient, SimProcess node) {
        if (isTransient) {
            return new LostWill(will, node, now(), world.nanoTime());
        }
        will.sent = now();
        will.acknowledged = NEVER - 1;
        return null;
    }

    /**
     * A will that the node of a lost connection publishes.
     *
     * @param lost the step in which the client has lost the connection
     */
    record LostWill(Sent will, SimProcess node, long lost, long lostNanos) {}

    /**
     * A client that had no persistent session has got CONNACK: the will of its connection before is stored, and its retained message in
     * place. If that takes longer than a limit, or the node has died or was out of reach, the next connection does not wait for it.
     */
    void requireInPlace(@Nullable LostWill lost) {
        if (lost == null
                || lost.node.isDead()
                || world.nanoTime() - lost.lostNanos > LONGEST_WAIT_NANOS
                || interruptions.concern(lost.node, lost.lost)) {
            return;
        }
        Sent will = lost.will;
        String kept = retained.apply(will.topic);
        if (kept == null || find(kept).number < will.number) {
            throw new SimulationFailure("CONNACK came before the will " + will + ", but " + kept + " is retained");
        }
        acknowledged(will, lost.node);
    }

    void acknowledged(Sent sent, SimProcess by) {
        if (!sent.isAcknowledged()) {
            sent.acknowledged = now();
            sent.isDoubtful = by.mayMistakeItsLease(world);
        }
    }

    /** The message with this payload. */
    Sent find(String id) {
        Sent sent = messages.get(id);
        if (sent == null) {
            sent = wills.get(id);
        }
        if (sent == null) {
            throw new SimulationFailure("a message that no client has sent: " + id);
        }
        return sent;
    }

    /** @param isTransient whether the session ends with its connection */
    SessionLog begin(String clientId, boolean isTransient) {
        SessionLog session = new SessionLog(this, clientId, sessions.size(), isTransient);
        sessions.add(session);
        return session;
    }

    public int wills() {
        return wills.size();
    }

    public int messages() {
        return messages.size();
    }

    public int acknowledgedMessages() {
        return (int) messages.values().stream().filter(Sent::isAcknowledged).count();
    }

    public int deliveries() {
        return sessions.stream().mapToInt(SessionLog::deliveries).sum();
    }

    /** The deliveries that are still due, at most some of them. */
    public List<String> missing() {
        List<String> missing = new ArrayList<>();
        addMissing(messages.values(), missing);
        addMissing(wills.values(), missing);
        return missing;
    }

    private void addMissing(Collection<Sent> all, List<String> missing) {
        for (Sent sent : all) {
            if (sent.isAcknowledged() && !sent.isDoubtful && sent.qos != QoS.AT_MOST_ONCE && missing.size() < 10) {
                addMissing(sent, missing);
            }
        }
    }

    private void addMissing(Sent sent, List<String> missing) {
        Set<String> groups = new LinkedHashSet<>();
        for (SessionLog session : sessions) {
            if (session.isLive()) {
                if (session.owes(sent) && !session.has(sent)) {
                    missing.add(sent + " was acknowledged, but " + session + " has not received it");
                }
                session.addGroups(sent, groups);
            }
        }
        for (String group : groups) {
            if (sessions.stream().noneMatch(session -> session.satisfies(sent, group))) {
                missing.add(sent + " was acknowledged, but no member of " + group + " has received it");
            }
        }
    }

    /** Describes the retained messages that are not the last acknowledged ones of their topics, nor later ones. */
    List<String> wrongRetained(Map<String, Sent> found) {
        List<String> wrong = new ArrayList<>();
        for (Sent sent : messages.values()) {
            if (sent.retain && sent.isAcknowledged()) {
                Sent kept = found.get(sent.topic);
                // Messages of different QoS have no order.
                if (kept == null || (kept.qos == sent.qos && kept.number < sent.number)) {
                    wrong.add(sent + " was retained, but " + kept + " is found");
                }
            }
        }
        return wrong;
    }
}
