package io.heddle.core.operator.explain;

/** The outcome of a message for a client. */
public enum Verdict {
    /** The client is not connected and has no session. */
    NO_SESSION,
    /** The client may be connected to a node that has not answered. */
    UNKNOWN,
    /** None of its subscriptions matches the topic. */
    NO_SUBSCRIPTION,
    /** The rules do not allow the client to receive it. */
    DENIED,
    /** The client is away, and messages of QoS 0 are not stored. */
    NOT_STORED,
    /** The client is away, and the message waits for its return. */
    STORED,
    /** Only some of the messages reach the client: those that its group of a shared subscription does not give to other members. */
    SHARED,
    /** The message waits behind others, because the client is slow or limited; at QoS 0 it is dropped. */
    DELAYED,
    /** The client gets the message now. */
    DELIVERED
}
