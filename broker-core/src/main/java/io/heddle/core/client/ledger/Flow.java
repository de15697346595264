package io.heddle.core.client.ledger;

/** A way into an account, a way out of it, or a place in it. */
public enum Flow {
    /** Published at this node, or passed on. */
    ROUTED(Account.CONNECTIONS, Side.IN, "routed"),
    /** Received from other nodes. */
    RECEIVED(Account.CONNECTIONS, Side.IN, "received"),
    /** Retained messages for new subscriptions. */
    RETAINED(Account.CONNECTIONS, Side.IN, "retained"),
    /** Taken from the queue of a DEVICE client or the log of an APPLICATION client. */
    READ(Account.CONNECTIONS, Side.IN, "read"),
    /** Sent at QoS 0, or acknowledged with PUBACK or PUBREC. */
    DELIVERED(Account.CONNECTIONS, Side.OUT, "delivered"),
    /** Counted by {@code heddle.messages.dropped}. */
    DROPPED(Account.CONNECTIONS, Side.OUT, "dropped"),
    /** Not acknowledged when the connection ended: still in the queue or log. */
    RETURNED(Account.CONNECTIONS, Side.OUT, "returned"),
    /** Routed again to another member of the shared subscription, because the session ended. */
    PASSED_ON(Account.CONNECTIONS, Side.OUT, "passedOn"),
    /** In memory, not sent yet. */
    WAITING(Account.CONNECTIONS, Side.HELD, "waiting"),
    /** Sent and not acknowledged. */
    IN_FLIGHT(Account.CONNECTIONS, Side.HELD, "inFlight"),

    /** Passed to an event loop by another thread. */
    HANDED_OVER(Account.EVENT_LOOPS, Side.IN, "handedOver"),
    /** Taken by that event loop. */
    TAKEN(Account.EVENT_LOOPS, Side.OUT, "taken"),

    /** Given to a log. */
    APPENDED(Account.LOGS, Side.IN, "appended"),
    /** Durable. */
    STORED(Account.LOGS, Side.OUT, "stored"),
    /** Not appended: the publisher gets no acknowledgement. */
    APPEND_FAILED(Account.LOGS, Side.OUT, "failed"),
    /** Without an answer of Kafka. */
    UNANSWERED(Account.LOGS, Side.HELD, "unanswered"),

    /** For other nodes. */
    FORWARDED(Account.LINKS, Side.IN, "forwarded"),
    /** Given to the link at QoS 0, confirmed by the other node, or passed on to another member of the shared subscription. */
    ACCEPTED(Account.LINKS, Side.OUT, "accepted"),
    /** Counted by {@code heddle.messages.dropped} as node_unreachable or node_overloaded. */
    NOT_ACCEPTED(Account.LINKS, Side.OUT, "dropped"),
    /** Not confirmed yet. */
    UNCONFIRMED(Account.LINKS, Side.HELD, "unconfirmed");

    private final Account account;
    private final Side side;
    private final String key;

    Flow(Account account, Side side, String key) {
        this.account = account;
        this.side = side;
        this.key = key;
    }

    public Account account() {
        return account;
    }

    /** Returns whether copies enter, leave or are held. */
    public Side side() {
        return side;
    }

    /** Returns the name in the REST interface, unique in the account. */
    public String key() {
        return key;
    }

    public enum Side {
        /** Counts the copies that have entered since the start of the node. */
        IN,
        /** Counts the copies that have left since the start of the node. */
        OUT,
        /** The copies that are held now. */
        HELD
    }
}
