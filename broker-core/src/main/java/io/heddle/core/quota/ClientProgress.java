package io.heddle.core.quota;

/** Progress of a client in acknowledging QoS 1 and 2 messages. */
public enum ClientProgress {
    /** The client has acknowledged nothing for several seconds. */
    STALLED,
    /** The first message was sent less than a few seconds ago, and none is acknowledged yet. */
    NEW,
    /** The client has acknowledged a message within the last seconds. */
    ACKNOWLEDGES
}
