package io.heddle.core.retained;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicFilter;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One way through the trie, along a topic filter, that can stop anywhere and go on later. Used by one thread at a time, while
 * others change the trie: a message that is there all along is met exactly once, one that comes or goes meanwhile at most
 * once. Holds as many frames as the trie is deep, each with up to {@link Chunk#CAPACITY} nodes that may have left the trie, and
 * allocates nothing on its way but its frames.
 */
@HotPath
final class TrieCursor {
    private final String[] levels;
    private final boolean dollarTopics;
    /** The last level of the filter that all deeper ones repeat, or that no deeper one follows. */
    private final int lastLevel;

    private final boolean multiLevel;
    private final List<Frame> frames = new ArrayList<>();
    private int depth = -1;
    private long visited;

    /** @param dollarTopics whether wildcards in the first level find topics that begin with {@code $} */
    TrieCursor(TopicNode root, TopicFilter filter, boolean dollarTopics) {
        this.levels = filter.levels();
        this.dollarTopics = dollarTopics;
        this.lastLevel = levels.length - 1;
        this.multiLevel = levels[lastLevel].equals("#");
        push(root);
    }

    boolean isDone() {
        return depth < 0;
    }

    /** How many nodes were entered or left so far. */
    long visited() {
        return visited;
    }

    /** The next node that matches and has a message, or null when there is none or so many visits did not find one. */
    @Nullable
    TopicNode next(int maximumVisits) {
        long end = visited + maximumVisits;
        while (depth >= 0 && visited < end) {
            visited++;
            Frame frame = frames.get(depth);
            TopicNode child = isNamed(depth) ? frame.named(levels[depth]) : frame.next();
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

    /** Where the walk is among the children of one node. */
    private static final class Frame {
        private @Nullable TopicNode parent;
        private @Nullable SortedChunk run;
        private int next;
        private @Nullable String last;
        private boolean asked;

        void enter(TopicNode node) {
            parent = node;
            run = null;
            last = null;
            asked = false;
        }

        void leave() {
            parent = null;
            run = null;
            last = null;
        }

        @Nullable
        TopicNode named(String level) {
            TopicNode node = parent;
            if (node == null || asked) {
                return null;
            }
            asked = true;
            return node.child(level);
        }

        @Nullable
        TopicNode next() {
            SortedChunk current = run;
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
            run = found;
            next = found == null ? 0 : found.indexAfter(last);
            return found;
        }
    }
}
