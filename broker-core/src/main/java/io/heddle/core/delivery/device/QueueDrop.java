package io.heddle.core.delivery.device;

/**
 * A message that a queue has dropped.
 *
 * @param reason why
 * @param millis when, in milliseconds since 1970
 */
public record QueueDrop(Reason reason, long millis) {
    /** The reasons. */
    public enum Reason {
        /** The queue was full: the message, or the oldest one. */
        QUEUE_FULL("queue_full"),
        /** The message had expired before it was queued. */
        EXPIRED("expired");

        private final String tag;

        Reason(String tag) {
            this.tag = tag;
        }

        /** Returns the tag of {@code heddle.messages.dropped}. */
        public String tag() {
            return tag;
        }
    }
}
