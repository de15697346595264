package io.heddle.core.operator.client;

/** A pattern of a text in which {@code *} stands for any characters and {@code ?} for one. Stateless. */
final class Glob {
    private static final int NONE = -1;

    private Glob() {}

    /** Returns whether a pattern matches a whole text. Takes no longer than the product of their lengths. */
    static boolean matches(String pattern, String text) {
        int p = 0;
        int star = NONE;
        int afterStar = 0;
        int t = 0;
        while (t < text.length()) {
            if (p < pattern.length() && pattern.charAt(p) == '*') {
                star = p++;
                afterStar = t;
            } else if (p < pattern.length() && (pattern.charAt(p) == '?' || pattern.charAt(p) == text.charAt(t))) {
                p++;
                t++;
            } else if (star != NONE) {
                p = star + 1;
                t = ++afterStar;
            } else {
                return false;
            }
        }
        while (p < pattern.length() && pattern.charAt(p) == '*') {
            p++;
        }
        return p == pattern.length();
    }

    /** Returns the characters before the first wildcard, with which every matching text begins. */
    static String literalPrefix(String pattern) {
        int end = 0;
        while (end < pattern.length() && pattern.charAt(end) != '*' && pattern.charAt(end) != '?') {
            end++;
        }
        return pattern.substring(0, end);
    }
}
