package io.heddle.core.client.ledger;

import java.util.Map;

/** A part of the way of copies, whose flows are counted apart. */
public enum Account {
    /** The copies at the connections of clients, on their event loops. */
    CONNECTIONS("connections", true),
    /** The copies that another thread passes to the event loop of their connection. */
    EVENT_LOOPS("eventLoops", true),
    /** The copies for persistent sessions, on their way to a log in Kafka. Those without an answer are held, so this cannot differ. */
    LOGS("logs", false),
    /** The messages for other nodes, one copy for each node, on their way over a link. */
    LINKS("links", true);

    private final String key;
    private final boolean isChecked;

    Account(String key, boolean isChecked) {
        this.key = key;
        this.isChecked = isChecked;
    }

    /** Returns whether what is held is counted apart from what comes in and goes out, so that a loss is a difference. */
    public boolean isChecked() {
        return isChecked;
    }

    /** Returns the copies that have entered since the start of the node, have not left, and are not held. */
    public long difference(Map<Flow, Long> counts) {
        long difference = 0;
        for (Map.Entry<Flow, Long> each : counts.entrySet()) {
            if (each.getKey().account() == this) {
                difference += each.getKey().side() == Flow.Side.IN ? each.getValue() : -each.getValue();
            }
        }
        return difference;
    }

    /** Returns the name in metrics and in the REST interface. */
    public String key() {
        return key;
    }
}
