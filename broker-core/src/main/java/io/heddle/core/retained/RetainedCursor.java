package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.message.PublishMessage;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.trie.RetainedMessage;
import io.heddle.core.retained.trie.TopicNode;
import io.heddle.core.retained.trie.TopicText;
import io.heddle.core.retained.trie.TrieCursor;
import org.jspecify.annotations.Nullable;

/**
 * Iterates over the retained messages that match a topic filter, in topic order. Used by one thread at a time, usually the event
 * loop of the session that replays them; pauses between calls may be arbitrarily long.
 *
 * <p>Lock-free. An unchanged message is found exactly once; one that is stored or removed meanwhile, at most once. Memory depends
 * on the depth of the topics, not on the number of matches.
 */
@HotPath
public final class RetainedCursor {
    private final RetainedMessages messages;
    private final TrieCursor cursor;
    private final TopicText text = new TopicText();

    RetainedCursor(RetainedMessages messages, TrieCursor cursor) {
        this.messages = messages;
        this.cursor = cursor;
    }

    /**
     * Searches for the next message.
     *
     * @param maximumVisits the maximum work of this call: trie nodes entered or left, a microsecond or less each. At least 1
     * @return the next unexpired message, with RETAIN set; null if the visits are used up or {@link #isDone}
     */
    public @Nullable PublishMessage next(int maximumVisits) {
        long end = cursor.visited() + maximumVisits;
        while (cursor.visited() < end) {
            TopicNode node = cursor.next((int) (end - cursor.visited()));
            if (node == null) {
                return null;
            }
            RetainedMessage message = node.message();
            if (message != null && !messages.isExpired(message)) {
                return message.toPublishMessage(text.of(node));
            }
        }
        return null;
    }

    /**
     * Searches for the next message like {@link #next}, in single visits until there is a {@link #position}.
     *
     * @return a message, or null if there is a position or the cursor {@link #isDone}
     */
    public @Nullable PublishMessage nextToPosition() {
        PublishMessage found = null;
        while (found == null && !cursor.isDone() && cursor.hasLeft()) {
            found = next(1);
        }
        return found;
    }

    /** Returns the topic behind which a later cursor continues. After a message, or after {@link #nextToPosition}, unless {@link #isDone}. */
    public TopicName position() {
        return cursor.position();
    }

    /** Returns whether all messages have been found. */
    public boolean isDone() {
        return cursor.isDone();
    }

    /** Returns the number of trie nodes entered or left by all calls so far. */
    public long visited() {
        return cursor.visited();
    }
}
