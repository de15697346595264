package io.heddle.core.quota;

/** Whether a client acknowledges the QoS 1 and 2 messages that it is sent. */
public enum ClientProgress {
    /** It has not acknowledged anything for some seconds. */
    STALLED,
    /** It was sent its first message a moment ago and has not acknowledged any. */
    NEW,
    /** It has acknowledged something within the last seconds. */
    ACKNOWLEDGES
}
