package io.heddle.core.testkit;

/** Whether a topic filter matches a topic name, level by level as the standard says it: what quicker ways are held against. */
public final class NaiveMatcher {
    private NaiveMatcher() {}

    /** @param filter without a share */
    public static boolean matches(String filter, String topicName) {
        String[] wanted = filter.split("/", -1);
        String[] levels = topicName.split("/", -1);
        if (topicName.startsWith("$") && (wanted[0].equals("+") || wanted[0].equals("#"))) {
            return false;
        }
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].equals("#")) {
                return true;
            }
            if (i >= levels.length || !(wanted[i].equals("+") || wanted[i].equals(levels[i]))) {
                return false;
            }
        }
        return wanted.length == levels.length;
    }
}
