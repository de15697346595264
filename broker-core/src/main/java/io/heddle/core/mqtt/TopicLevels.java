package io.heddle.core.mqtt;

/** Where the levels of topic names and topic filters begin and end. */
final class TopicLevels {
    static final char SEPARATOR = '/';

    private TopicLevels() {}

    /** How many levels there are from a position on: one more than there are separators. */
    static int count(String topic, int from) {
        int levels = 1;
        for (int i = topic.indexOf(SEPARATOR, from); i >= 0; i = topic.indexOf(SEPARATOR, i + 1)) {
            levels++;
        }
        return levels;
    }

    /** Where the level that begins at a position ends: at its separator, or at the end of the text. */
    static int end(String topic, int from) {
        int separator = topic.indexOf(SEPARATOR, from);
        return separator < 0 ? topic.length() : separator;
    }
}
