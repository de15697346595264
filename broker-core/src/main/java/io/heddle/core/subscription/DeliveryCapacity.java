package io.heddle.core.subscription;

/** An estimate of a session's capacity for one more message, from best to worst. */
public enum DeliveryCapacity {
    /** The message would be sent at once. */
    READY,
    /** The message would be queued, because others are ahead of it or the client does not read. */
    QUEUEABLE,
    /** The queue is full; this message or another one would be dropped. */
    FULL
}
