package io.heddle.core.retained.trie;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;
import io.heddle.core.subscription.LevelNames;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/**
 * A trie of the topics with retained messages. Lock-free for readers on any thread; writers are
 * serialized by their caller. Neither reads nor writes recurse.
 */
@HotPath
public final class RetainedTrie {
    private final TopicNode root = new TopicNode(null, "");
    // Writer only.
    private final LevelNames names = new LevelNames(1 << 12);
    // Written by the writer, read by any thread.
    private final AtomicInteger nodeCount = new AtomicInteger(1);

    public TopicNode root() {
        return root;
    }

    /** Returns the number of nodes, including the root. */
    public int nodeCount() {
        return nodeCount.get();
    }

    /** Returns the node of a topic, or null. */
    public @Nullable TopicNode find(TopicName topic) {
        TopicNode node = root;
        for (int i = 0; node != null && i < topic.levelCount(); i++) {
            node = node.child(topic.level(i));
        }
        return node;
    }

    /** Returns the deepest existing node on the path of a topic. */
    public TopicNode deepest(TopicName topic) {
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

    /** Returns the estimated bytes of the nodes that are missing below the deepest node. */
    public static long missingBytes(TopicNode deepest, TopicName topic) {
        long bytes = 0;
        for (int i = deepest.depth(); i < topic.levelCount(); i++) {
            bytes += Footprint.ofNode(topic.level(i));
        }
        return bytes;
    }

    /** Adds the missing nodes below the deepest node, and the message to the last one. Writer only. */
    public void put(TopicNode deepest, TopicName topic, RetainedMessage message) {
        int depth = deepest.depth();
        if (depth == topic.levelCount()) {
            deepest.message = message;
            return;
        }
        TopicNode first = new TopicNode(deepest, names.intern(topic.level(depth)));
        TopicNode last = first;
        for (int i = depth + 1; i < topic.levelCount(); i++) {
            TopicNode child = new TopicNode(last, names.intern(topic.level(i)));
            last.children = child;
            last = child;
        }
        last.message = message;
        nodeCount.addAndGet(topic.levelCount() - depth);
        // Linked last, so that readers see all of the new path or nothing.
        Siblings siblings = deepest.children;
        deepest.children = siblings == null ? first : siblings.with(first);
    }

    /** Replaces the message of a node that has one. Writer only. */
    public void replace(TopicNode node, RetainedMessage message) {
        node.message = message;
    }

    /**
     * Removes a node's message, and the nodes that are empty without it. Writer only.
     *
     * @return the estimated bytes of the removed nodes
     */
    public long clear(TopicNode node) {
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
