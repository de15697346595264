package io.heddle.core.delivery.application;

/** The answer to a request to change the position of an APPLICATION client in its log. */
public sealed interface SeekOutcome {
    /** The change is durable. */
    record Done(PositionChange change) implements SeekOutcome {}

    /** Nothing has changed. */
    enum Refused implements SeekOutcome {
        /** The client has no persistent session, or is not an APPLICATION client. */
        NO_SESSION,
        /** The client must first complete its QoS 2 messages: a Packet Identifier would be used twice. */
        UNFINISHED_QOS2,
        /** Another node decides about the client. */
        MOVED
    }
}
