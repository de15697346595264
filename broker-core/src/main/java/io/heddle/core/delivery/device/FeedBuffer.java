package io.heddle.core.delivery.device;

import io.heddle.core.HotPath;
import io.heddle.core.delivery.log.OutboundQueue.StoredMessage;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;

/**
 * Messages that a feed has read from its queue and its session has not taken, in order. Belongs to the event loop of the feed. Bound:
 * {@value #MAXIMUM_MESSAGES} messages or 1 MiB, and one page; one message while all feeds of the event loop together exceed
 * {@link ReadAhead}.
 */
@HotPath
final class FeedBuffer {
    private static final int MAXIMUM_MESSAGES = 64;
    private static final long MAXIMUM_BYTES = 1L << 20;

    private final ReadAhead readAhead;
    private final ArrayDeque<StoredMessage> messages = new ArrayDeque<>(2);
    private long bytes;

    FeedBuffer(ReadAhead readAhead) {
        this.readAhead = readAhead;
    }

    void add(StoredMessage fed) {
        messages.add(fed);
        addBytes(fed.message().heldBytes());
    }

    private void addBytes(long change) {
        bytes += change;
        readAhead.add(change);
    }

    boolean isFull() {
        return messages.size() >= MAXIMUM_MESSAGES
                || bytes >= MAXIMUM_BYTES
                || (!messages.isEmpty() && readAhead.isFull());
    }

    boolean isEmpty() {
        return messages.isEmpty();
    }

    int size() {
        return messages.size();
    }

    @Nullable
    StoredMessage peek() {
        return messages.peek();
    }

    /** The first message. The buffer must not be empty. */
    StoredMessage first() {
        return messages.element();
    }

    /** Removes the first message and returns it. The buffer must not be empty. */
    StoredMessage take() {
        StoredMessage first = messages.remove();
        addBytes(-first.message().heldBytes());
        return first;
    }

    void clear() {
        messages.clear();
        addBytes(-bytes);
    }
}
