package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import org.jspecify.annotations.Nullable;

/**
 * The retained messages that match a topic filter, one after the other, in the order of their topics. Used by one thread at a
 * time, usually the event loop of the session that replays them; it may pause for as long as it likes between two calls.
 *
 * <p>Takes no lock. A message that is kept all along is found exactly
 * once; one that is stored or removed meanwhile is found once or not at all. Its memory depends on how deep the topics are, not
 * on how many match.
 */
@HotPath
public final class RetainedCursor {
    private final RetainedMessages messages;
    private final TrieCursor walk;
    private final TopicText text = new TopicText();

    RetainedCursor(RetainedMessages messages, TrieCursor walk) {
        this.messages = messages;
        this.walk = walk;
    }

    /**
     * Looks for the next message.
     *
     * @param maximumVisits the most work that this call may do, counted in nodes of the trie that are entered or left; a
     *     microsecond or less each. At least 1
     * @return it, with RETAIN set and not expired at this moment; null when so many visits found none, or {@link #isDone}
     */
    public @Nullable PublishMessage next(int maximumVisits) {
        long end = walk.visited() + maximumVisits;
        while (walk.visited() < end) {
            TopicNode node = walk.next((int) (end - walk.visited()));
            if (node == null) {
                return null;
            }
            RetainedMessage message = node.message;
            if (message != null && !messages.isExpired(message)) {
                return message.on(text.of(node));
            }
        }
        return null;
    }

    /** Whether there is nothing more to find. */
    public boolean isDone() {
        return walk.isDone();
    }

    /** How many nodes of the trie were entered or left so far, by all calls together. */
    public long visited() {
        return walk.visited();
    }
}
