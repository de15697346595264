package io.heddle.core.operator.rule;

import io.heddle.core.authorization.Action;
import io.heddle.core.mqtt.QoS;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Equal decisions about requests of a client that proposed rules would take otherwise.
 *
 * @param userName null if the client has none
 * @param topic of a publish, or the filter of a subscription
 * @param retain the RETAIN flag; false for a subscription
 * @param wasAllowed whether the request was allowed, and would be denied; otherwise vice versa
 * @param count of sampled decisions
 * @param lastMillis the time of the last one, in milliseconds since 1970
 * @param nodes the ids of the nodes that have decided, in their order; empty if it is the answering one
 */
public record ChangedDecision(
        String clientId,
        @Nullable String userName,
        Action action,
        String topic,
        QoS qos,
        boolean retain,
        boolean wasAllowed,
        long count,
        long lastMillis,
        List<String> nodes) {
    /** Denials first, then the most frequent ones. */
    static final Comparator<ChangedDecision> ORDER = Comparator.comparing(ChangedDecision::wasAllowed)
            .thenComparingLong(ChangedDecision::count)
            .reversed()
            .thenComparing(ChangedDecision::clientId)
            .thenComparing(ChangedDecision::topic);

    public ChangedDecision {
        nodes = List.copyOf(nodes);
    }

    /** The properties that equal decisions share. */
    record Key(
            String clientId,
            @Nullable String userName,
            Action action,
            String topic,
            QoS qos,
            boolean retain,
            boolean wasAllowed) {}

    Key key() {
        return new Key(clientId, userName, action, topic, qos, retain, wasAllowed);
    }

    /** The same decisions, and further ones with the same key. */
    ChangedDecision and(ChangedDecision other) {
        TreeSet<String> both = new TreeSet<>(nodes);
        both.addAll(other.nodes);
        return with(count + other.count, Math.max(lastMillis, other.lastMillis), new ArrayList<>(both));
    }

    ChangedDecision at(String node) {
        return with(count, lastMillis, List.of(node));
    }

    private ChangedDecision with(long newCount, long newLastMillis, List<String> newNodes) {
        return new ChangedDecision(
                clientId, userName, action, topic, qos, retain, wasAllowed, newCount, newLastMillis, newNodes);
    }
}
