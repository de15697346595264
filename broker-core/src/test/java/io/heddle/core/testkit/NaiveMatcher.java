package io.heddle.core.testkit;

/** Reference implementation of topic matching, level by level as the standard defines it. */
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
