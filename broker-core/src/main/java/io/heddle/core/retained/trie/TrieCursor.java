package io.heddle.core.retained.trie;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicFilter;
import io.heddle.core.mqtt.TopicName;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Traverses the trie along a topic filter; it can pause anywhere and resume later. Used by one thread at a time, while other
 * threads change the trie: an unchanged message is found exactly once; one that is added or removed meanwhile, at most once.
 * Holds one frame per trie level, each with up to {@link Chunk#CAPACITY} nodes that may have left the trie; allocates only
 * frames.
 */
@HotPath
public final class TrieCursor {
    private final String[] levels;
    private final boolean dollarTopics;
    /** The index of the filter's last level; a {@code #} there also applies to all deeper levels. */
    private final int lastLevel;

    private final boolean multiLevel;
    private final List<Frame> frames = new ArrayList<>();
    private int depth = -1;
    private long visited;
    private boolean hasLeft;

    /** @param dollarTopics whether wildcards in the first level match topics that begin with {@code $} */
    public TrieCursor(TopicNode root, TopicFilter filter, boolean dollarTopics) {
        this.levels = filter.levels();
        this.dollarTopics = dollarTopics;
        this.lastLevel = levels.length - 1;
        this.multiLevel = levels[lastLevel].equals("#");
        push(root);
    }

    /**
     * Continues behind a topic, whether or not it is still in the trie. Before the first {@link #next}.
     *
     * @param topic that the filter matches
     */
    public void continueAfter(TopicName topic) {
        for (int i = 0; i < topic.levelCount(); i++) {
            String level = topic.level(i);
            if (isNamed(depth) && !levels[depth].equals(level)) {
                return;
            }
            TopicNode child = frames.get(depth).pass(level);
            if (child == null || child.children == null || (depth >= lastLevel && !multiLevel)) {
                return;
            }
            push(child);
        }
    }

    public boolean isDone() {
        return depth < 0;
    }

    /** Returns the number of nodes entered or left so far. */
    public long visited() {
        return visited;
    }

    /** Returns whether the last visit was the end of a node's children. There is no {@link #position} then. */
    public boolean hasLeft() {
        return hasLeft;
    }

    /** Returns the topic of the node that was visited last, for {@link #continueAfter}. Allocates; not for the hot path. */
    public TopicName position() {
        StringBuilder text = new StringBuilder();
        int count = 0;
        for (int i = 0; i <= depth; i++) {
            String level = frames.get(i).last;
            if (level == null) {
                break;
            }
            text.append(count == 0 ? "" : "/").append(level);
            count++;
        }
        return TopicName.known(text.toString(), count);
    }

    /** Returns the next matching node with a message, or null if there is none or the visits are used up. */
    public @Nullable TopicNode next(int maximumVisits) {
        long end = visited + maximumVisits;
        while (depth >= 0 && visited < end) {
            visited++;
            Frame frame = frames.get(depth);
            TopicNode child = isNamed(depth) ? frame.named(levels[depth]) : frame.next();
            hasLeft = child == null;
            if (child == null) {
                frame.leave();
                depth--;
            } else if (!isHidden(child)) {
                int matched = depth + 1;
                if (matched <= lastLevel || multiLevel) {
                    enter(child);
                }
                if (reports(matched) && child.message != null) {
                    return child;
                }
            }
        }
        return null;
    }

    private boolean isNamed(int level) {
        return level < lastLevel + (multiLevel ? 0 : 1) && !levels[level].equals("+");
    }

    /** A filter that begins with a wildcard does not match a topic that begins with $ [MQTT-4.7.2-1]. */
    private boolean isHidden(TopicNode child) {
        return depth == 0 && !dollarTopics && !isNamed(0) && child.level.startsWith("$");
    }

    private boolean reports(int matched) {
        // # matches its parent level too: a/# matches a (MQTT 5.0, section 4.7.1.2).
        return multiLevel ? matched >= lastLevel : matched == lastLevel + 1;
    }

    private void enter(TopicNode node) {
        if (node.children != null) {
            push(node);
        }
    }

    private void push(TopicNode node) {
        depth++;
        if (depth == frames.size()) {
            frames.add(new Frame());
        }
        frames.get(depth).enter(node);
    }

    /** The position among the children of one node. */
    private static final class Frame {
        private @Nullable TopicNode parent;
        private @Nullable SortedChunk chunk;
        private int next;
        private @Nullable String last;
        private boolean looked;

        void enter(TopicNode node) {
            parent = node;
            chunk = null;
            last = null;
            looked = false;
        }

        void leave() {
            parent = null;
            chunk = null;
            last = null;
        }

        @Nullable
        TopicNode named(String level) {
            TopicNode node = parent;
            if (node == null || looked) {
                return null;
            }
            looked = true;
            last = level;
            return node.child(level);
        }

        /** Continues behind a level, and returns its node, or null if there is none. */
        @Nullable
        TopicNode pass(String level) {
            looked = true;
            last = level;
            return parent == null ? null : parent.child(level);
        }

        @Nullable
        TopicNode next() {
            SortedChunk current = chunk;
            if (current == null || next == current.size()) {
                current = seek();
                if (current == null) {
                    return null;
                }
            }
            TopicNode child = current.node(next);
            next++;
            last = child.level;
            return child;
        }

        private @Nullable SortedChunk seek() {
            TopicNode node = parent;
            Siblings siblings = node == null ? null : node.children;
            SortedChunk found = siblings == null ? null : siblings.after(last);
            chunk = found;
            next = found == null ? 0 : found.indexAfter(last);
            return found;
        }
    }
}
