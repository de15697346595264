package io.heddle.core.subscription;

/** A session's capacity to take one more message at about this moment, from best to worst. */
public enum DeliveryCapacity {
    /** The message would be sent at once. */
    READY,
    /** The message would be queued: others are ahead of it, or the client does not read. */
    QUEUEABLE,
    /** The queue is full: this message or another one would be dropped. */
    FULL
}
