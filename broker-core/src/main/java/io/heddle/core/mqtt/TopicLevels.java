package io.heddle.core.mqtt;

/** Finds the level boundaries of topic names and topic filters. */
final class TopicLevels {
    static final char SEPARATOR = '/';

    static final String SETTING = "heddle.mqtt.maximum-topic-levels";

    private TopicLevels() {}

    /** Returns the number of levels from a position on: the number of separators plus one. */
    static int count(String topic, int from) {
        int levels = 1;
        for (int i = topic.indexOf(SEPARATOR, from); i >= 0; i = topic.indexOf(SEPARATOR, i + 1)) {
            levels++;
        }
        return levels;
    }

    /** Returns the end of the level that begins at a position: its separator, or the end of the text. */
    static int end(String topic, int from) {
        int separator = topic.indexOf(SEPARATOR, from);
        return separator < 0 ? topic.length() : separator;
    }
}
