package io.heddle.core.authorization.decision;

import io.heddle.core.authorization.Action;
import io.heddle.core.authorization.RuleSubject;
import io.heddle.core.mqtt.QoS;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.util.Map;
import java.util.Objects;

/** Equal decisions about requests of one client, of which some were sampled. Owned by an event loop, which counts further ones. */
public final class SampledDecision {
    /** Without texts: this object, its entries in the tables, and those of its client. */
    private static final int HELD_BYTES = 256;

    private static final long KEPT_NANOS = RecentDecisions.KEPT.toNanos();

    private final RuleSubject subject;
    private final Action action;
    private final String topic;
    private final QoS qos;
    private final boolean retain;
    private final boolean isAllowed;
    private long firstNanos;
    private long lastNanos;
    private long count;

    SampledDecision(
            RuleSubject subject, Action action, String topic, QoS qos, boolean retain, boolean isAllowed, long now) {
        this.subject = subject;
        this.action = action;
        this.topic = topic;
        this.qos = qos;
        this.retain = retain;
        this.isAllowed = isAllowed;
        this.firstNanos = now;
        this.lastNanos = now;
        this.count = 1;
    }

    /** Returns whether this is the same decision as another one about the same client, perhaps over another connection from its address. */
    boolean isSame(RuleSubject by, Action action, String topic, QoS qos, boolean retain) {
        return this.qos == qos
                && this.retain == retain
                && this.action == action
                && this.topic.equals(topic)
                && Objects.equals(subject.userName(), by.userName())
                && subject.groups().equals(by.groups())
                && subject.attributes().equals(by.attributes())
                && host(subject.address()).equals(host(by.address()));
    }

    private static Object host(SocketAddress address) {
        return address instanceof InetSocketAddress ip && ip.getAddress() != null ? ip.getAddress() : address;
    }

    /** The same decision was sampled again. The count begins again when the first one has expired. */
    void repeat(long now) {
        if (now - firstNanos > KEPT_NANOS) {
            firstNanos = now;
            count = 0;
        }
        lastNanos = now;
        count++;
    }

    boolean isExpired(long now) {
        return now - lastNanos > KEPT_NANOS;
    }

    /** Returns the approximate memory. */
    long bytes() {
        String userName = subject.userName();
        long characters = topic.length();
        characters += subject.clientId().value().length();
        characters += userName == null ? 0 : userName.length();
        for (String group : subject.groups()) {
            characters += group.length();
        }
        for (Map.Entry<String, String> each : subject.attributes().entrySet()) {
            characters += each.getKey().length() + each.getValue().length();
        }
        return HELD_BYTES + 2 * characters;
    }

    /** Returns the client as the rules saw it. */
    public RuleSubject subject() {
        return subject;
    }

    public Action action() {
        return action;
    }

    /** Returns the topic of a publish, or the filter of a subscription. */
    public String topic() {
        return topic;
    }

    public QoS qos() {
        return qos;
    }

    /** Returns the RETAIN flag; false for a subscription. */
    public boolean retain() {
        return retain;
    }

    public boolean isAllowed() {
        return isAllowed;
    }

    /** Returns the number of sampled decisions, one or more. On the loop. */
    public long count() {
        return count;
    }

    /** Returns the time of the first counted one, by the clock of the loop. On the loop. */
    public long firstNanos() {
        return firstNanos;
    }

    /** Returns the time of the last one, by the clock of the loop. On the loop. */
    public long lastNanos() {
        return lastNanos;
    }
}
