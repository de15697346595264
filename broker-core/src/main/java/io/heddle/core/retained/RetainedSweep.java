package io.heddle.core.retained;

import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.retained.trie.RetainedMessage;
import io.heddle.core.retained.trie.TopicNode;
import io.heddle.core.retained.trie.TopicText;
import io.heddle.core.retained.trie.TrieCursor;
import java.util.function.BiPredicate;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/** Visits all retained messages, in steps of bounded work. Thread-safe: one lock serializes the steps. */
final class RetainedSweep {
    private static final TopicFilter EVERYTHING = TopicFilter.parse("#", 1);

    private final RetainedContents contents;

    /** Serializes sweeps for expired messages. Lock order: this lock before the write lock of {@link RetainedMessages}. */
    private final Object lock = new Object();

    private @Nullable TrieCursor cursor;
    private final TopicText text = new TopicText();

    RetainedSweep(RetainedContents contents) {
        this.contents = contents;
    }

    /**
     * Passes expired messages to an action. Continues where the last call stopped.
     *
     * @param action returns whether to count the message
     * @return the number of counted messages
     */
    int step(int maximumVisits, Predicate<RetainedMessage> isExpired, BiPredicate<TopicNode, RetainedMessage> action) {
        synchronized (lock) {
            if (!contents.hasExpiring()) {
                cursor = null;
                return 0;
            }
            TrieCursor current = cursor;
            if (current == null || current.isDone()) {
                current = all();
                cursor = current;
            }
            int found = 0;
            long end = current.visited() + maximumVisits;
            while (current.visited() < end && !current.isDone()) {
                TopicNode node = current.next((int) (end - current.visited()));
                RetainedMessage message = node == null ? null : node.message();
                if (node != null && message != null && isExpired.test(message) && action.test(node, message)) {
                    found++;
                }
            }
            return found;
        }
    }

    private TrieCursor all() {
        return new TrieCursor(contents.trie().root(), EVERYTHING, true);
    }

    /** Returns the topic of a node that was passed to an action. Called by the action. */
    TopicName topic(TopicNode node) {
        return text.of(node);
    }

    /** Returns the sum over all messages, which does not depend on their order. */
    long checksum() {
        TopicText topics = new TopicText();
        long sum = 0;
        TrieCursor every = all();
        while (!every.isDone()) {
            TopicNode node = every.next(Integer.MAX_VALUE);
            RetainedMessage message = node == null ? null : node.message();
            if (node != null && message != null) {
                sum += message.checksum(topics.of(node).value());
            }
        }
        return sum;
    }
}
