package io.heddle.core.operator.explain;

import io.heddle.core.cluster.NodeId;
import java.util.LinkedHashMap;
import java.util.Map;

/** The nodes that have left or were declared dead last, as this node has read it. Thread-safe. Bound: {@value #MAXIMUM} nodes. */
final class EndedNodes {
    private static final int MAXIMUM = 64;

    // The one that has ended last is the last one. Guarded by this.
    private final Map<String, Long> millis = new LinkedHashMap<>();

    synchronized void add(NodeId node, long nowMillis) {
        millis.remove(node.value());
        millis.put(node.value(), nowMillis);
        if (millis.size() > MAXIMUM) {
            millis.remove(millis.keySet().iterator().next());
        }
    }

    /** Returns when each of them has ended last, in milliseconds since 1970. */
    synchronized Map<String, Long> all() {
        return Map.copyOf(millis);
    }
}
