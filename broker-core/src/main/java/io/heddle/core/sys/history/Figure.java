package io.heddle.core.sys.history;

import java.util.Locale;

/** A figure of a node. Dropped messages are also recorded by reason, as {@value #DROPPED} and the reason. */
public enum Figure {
    /** PUBLISH packets from clients, a second. */
    MESSAGES_RECEIVED(Merge.SUM),
    /** PUBLISH packets to clients, a second. */
    MESSAGES_SENT(Merge.SUM),
    /** Dropped messages, a second. */
    MESSAGES_DROPPED(Merge.SUM),
    /** Bytes of MQTT packets from clients, a second. */
    BYTES_RECEIVED(Merge.SUM),
    /** Bytes of MQTT packets to clients, a second. */
    BYTES_SENT(Merge.SUM),
    /** Accepted CONNECT packets, a second. */
    CONNECTS(Merge.SUM),
    /** Refused CONNECT packets, a second. */
    CONNECTS_REFUSED(Merge.SUM),
    /** Connected clients. */
    CONNECTIONS(Merge.SUM),
    /** Persistent sessions of the cluster, which all nodes know. */
    PERSISTENT_SESSIONS(Merge.MAXIMUM),
    /** Subscriptions of the sessions of the node. */
    SUBSCRIPTIONS(Merge.SUM),
    /** Retained messages of the cluster, which all nodes know. */
    RETAINED_MESSAGES(Merge.MAXIMUM),
    /** Messages that wait in memory. */
    MESSAGES_QUEUED(Merge.SUM),
    /** Messages that were sent and are not acknowledged. */
    MESSAGES_IN_FLIGHT(Merge.SUM),
    /** Bytes that are charged to sessions. */
    SESSION_MEMORY_BYTES(Merge.SUM),
    /** Bytes of the heap in use. */
    HEAP_BYTES(Merge.SUM),
    /** Usage of the processors that the process may use, in percent. */
    CPU_PERCENT(Merge.MEAN),
    /** The time below which half of the messages were delivered, in milliseconds. */
    LATENCY_P50_MILLIS(Merge.MAXIMUM),
    /** The time below which 99 of 100 messages were delivered, in milliseconds. */
    LATENCY_P99_MILLIS(Merge.MAXIMUM);

    /** The beginning of the names of figures for reasons. */
    public static final String DROPPED = "dropped.";

    /** Stands for the figures of all reasons in questions. */
    public static final String ALL_DROPPED = "dropped";

    /** The way in which the values of nodes become that of the cluster. */
    public enum Merge {
        SUM,
        MAXIMUM,
        MEAN
    }

    private final Merge merge;
    private final String key;

    Figure(Merge merge) {
        this.merge = merge;
        this.key = camelCase(name());
    }

    private static String camelCase(String constant) {
        StringBuilder key = new StringBuilder();
        for (String word : constant.toLowerCase(Locale.ROOT).split("_", -1)) {
            key.append(key.isEmpty() ? word.charAt(0) : Character.toUpperCase(word.charAt(0)))
                    .append(word, 1, word.length());
        }
        return key.toString();
    }

    /** Returns the name in answers, such as {@code messagesReceived}. */
    public String key() {
        return key;
    }

    /** Returns how the values of nodes are merged for a name in answers. */
    public static Merge mergeOf(String key) {
        for (Figure each : values()) {
            if (each.key.equals(key)) {
                return each.merge;
            }
        }
        return Merge.SUM;
    }
}
