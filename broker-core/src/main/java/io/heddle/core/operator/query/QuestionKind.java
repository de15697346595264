package io.heddle.core.operator.query;

public enum QuestionKind {
    /** A page of the clients of a node. */
    CLIENTS(1),
    /** The details of one connected client. */
    CLIENT(2),
    /** Disconnects a client. */
    DISCONNECT(3),
    /** The subscriptions of a client whose session ends with its connection. */
    SUBSCRIPTIONS(4),
    /** The connected subscribers of a filter or a topic. */
    SUBSCRIBERS(5),
    /** The filters of the connected clients whose sessions end with their connections. */
    FILTERS(6),
    /** Changes the position of an APPLICATION client in its log. Asked of the holder of the client's bucket. */
    SEEK(20),
    /** What a node holds of the buckets. */
    BUCKETS(21),
    /** Drains and stops the node. */
    DRAIN(22),
    /** Waits until the node applies a version of the rules for topics. */
    RULES(23),
    /** What the node has refused last. */
    REFUSALS(24),
    /** Which subscriptions of the node's clients proposed rules would deny, and which of its latest decisions they would change. */
    DRY_RUN(25),
    /** The facts that decide whether a client gets the messages on a topic, and those that it has missed. */
    EXPLAIN(26),
    /** The clients and topics with the most messages. */
    TOP(27),
    /** The new events of a trace, which the question begins if the node does not know it, or ends. */
    TRACE(28),
    /** The figures of a node during the last hour or day. */
    HISTORY(30),
    /** The connected clients for which most messages wait. */
    SLOW_CLIENTS(31),
    /** The alerts that fire at the node. */
    ALERTS(32),
    /** The flows and differences of the node's accounts. */
    LEDGER(33);

    private final int code;

    QuestionKind(int code) {
        this.code = code;
    }

    /** Returns the code in frames, 1 to 255. */
    int code() {
        return code;
    }
}
