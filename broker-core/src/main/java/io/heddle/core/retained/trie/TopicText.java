package io.heddle.core.retained.trie;

import io.heddle.core.HotPath;
import io.heddle.core.mqtt.TopicName;

/**
 * Builds a topic from trie nodes without validating it again. Used by one thread at a time; reuses one buffer, except for very
 * long topics.
 */
@HotPath
public final class TopicText {
    private static final int USUAL_LENGTH = 128;
    private static final int LONGEST_KEPT = 1_024;

    private char[] room = new char[USUAL_LENGTH];

    /** Returns the topic that ends at a node other than the root. */
    public TopicName of(TopicNode end) {
        char[] text = room;
        int start = text.length;
        int levels = 0;
        TopicNode node = end;
        // From end to beginning, because nodes refer to their parents.
        for (TopicNode parent = end.parent; parent != null; parent = node.parent) {
            int length = node.level.length();
            if (start <= length) {
                char[] larger = new char[2 * text.length + length];
                System.arraycopy(text, start, larger, start + larger.length - text.length, text.length - start);
                start += larger.length - text.length;
                text = larger;
            }
            if (levels > 0) {
                start--;
                text[start] = '/';
            }
            start -= length;
            node.level.getChars(0, length, text, start);
            levels++;
            node = parent;
        }
        if (text.length <= LONGEST_KEPT) {
            room = text;
        }
        return TopicName.known(new String(text, start, text.length - start), levels);
    }
}
