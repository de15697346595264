package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * The levels of all topics that have a message. Any thread may read, without locks. Who writes holds the lock of
 * {@link RetainedMessages}. Neither reading nor writing recurses.
 */
@HotPath
final class RetainedTrie {
    private final TopicNode root = new TopicNode(null, "");
    // Of the writer.
    private final LevelNames names = new LevelNames();
    // Changed by the writer, read by any thread.
    private final AtomicInteger nodeCount = new AtomicInteger(1);

    TopicNode root() {
        return root;
    }

    /** How many nodes there are, the root included. */
    int nodeCount() {
        return nodeCount.get();
    }

    /** The node of a topic, or null. */
    @Nullable
    TopicNode find(TopicName topic) {
        TopicNode node = root;
        for (int i = 0; node != null && i < topic.levelCount(); i++) {
            node = node.child(topic.level(i));
        }
        return node;
    }

    /** The last node on the way to a topic's. */
    TopicNode deepest(TopicName topic) {
        TopicNode node = root;
        for (int i = 0; i < topic.levelCount(); i++) {
            TopicNode child = node.child(topic.level(i));
            if (child == null) {
                return node;
            }
            node = child;
        }
        return node;
    }

    /** What the nodes cost that are missing between the deepest one and the end of a topic. */
    static long missingBytes(TopicNode deepest, TopicName topic) {
        long bytes = 0;
        for (int i = deepest.depth(); i < topic.levelCount(); i++) {
            bytes += Footprint.ofNode(topic.level(i));
        }
        return bytes;
    }

    /** Adds what is missing below the deepest node, and the message at the end. Writer only. */
    void put(TopicNode deepest, TopicName topic, RetainedMessage message) {
        int depth = deepest.depth();
        if (depth == topic.levelCount()) {
            deepest.message = message;
            return;
        }
        TopicNode first = new TopicNode(deepest, names.shared(topic.level(depth)));
        TopicNode last = first;
        for (int i = depth + 1; i < topic.levelCount(); i++) {
            TopicNode child = new TopicNode(last, names.shared(topic.level(i)));
            last.children = child;
            last = child;
        }
        last.message = message;
        nodeCount.addAndGet(topic.levelCount() - depth);
        // Last, so that readers find all of it or nothing.
        Siblings siblings = deepest.children;
        deepest.children = siblings == null ? first : siblings.with(first);
    }

    /**
     * Takes a node's message away, and the nodes that hold nothing without it. Writer only.
     *
     * @return what the nodes cost that are gone
     */
    long clear(TopicNode node) {
        node.message = null;
        long bytes = 0;
        TopicNode empty = node;
        for (TopicNode parent = node.parent; parent != null && empty.isEmpty(); parent = empty.parent) {
            Siblings siblings = parent.children;
            parent.children = siblings == null ? null : siblings.without(empty.level);
            bytes += Footprint.ofNode(empty.level);
            nodeCount.decrementAndGet();
            empty = parent;
        }
        return bytes;
    }
}
