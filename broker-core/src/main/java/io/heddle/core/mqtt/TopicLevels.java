package io.heddle.core.mqtt;

/** Splits topic names and topic filters at their separators. */
final class TopicLevels {
    private TopicLevels() {}

    /** How many levels a topic has: one more than it has separators. */
    static int count(String topic) {
        int levels = 1;
        for (int i = topic.indexOf('/'); i >= 0; i = topic.indexOf('/', i + 1)) {
            levels++;
        }
        return levels;
    }

    /** The levels in order; empty levels are levels too. */
    static String[] split(String topic) {
        String[] levels = new String[count(topic)];
        int start = 0;
        for (int i = 0; i < levels.length - 1; i++) {
            int separator = topic.indexOf('/', start);
            levels[i] = topic.substring(start, separator);
            start = separator + 1;
        }
        levels[levels.length - 1] = topic.substring(start);
        return levels;
    }
}
