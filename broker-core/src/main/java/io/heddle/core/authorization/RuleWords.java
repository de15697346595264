package io.heddle.core.authorization;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The words of a rule's text. A word with spaces or quotes is written in double quotes, with a backslash before each quote and backslash. */
final class RuleWords {
    private static final Pattern PLAIN = Pattern.compile("[^\" \t]+");
    private static final Pattern WORD =
            Pattern.compile("(?:\"([^\"\\\\]*+(?:\\\\.[^\"\\\\]*+)*+)\"|([^\" \t]++))(?:[ \t]++|$)");
    private static final Pattern ESCAPED = Pattern.compile("\\\\(.)");

    /** @param column of its first character, counted from 1 */
    record Word(String text, int column) {}

    private RuleWords() {}

    /** Splits a line at spaces and tabs. */
    static List<Word> split(String line) throws RuleSyntaxException {
        List<Word> words = new ArrayList<>();
        Matcher matcher = WORD.matcher(line);
        int at = line.length() - line.stripLeading().length();
        while (at < line.length()) {
            if (!matcher.region(at, line.length()).lookingAt()) {
                throw new RuleSyntaxException(
                        at + 1,
                        "misplaced quotes: put a word with spaces or quotes in quotes, and a backslash before its quotes");
            }
            String quoted = matcher.group(1);
            words.add(new Word(
                    quoted == null ? matcher.group(2) : ESCAPED.matcher(quoted).replaceAll("$1"), at + 1));
            at = matcher.end();
        }
        return words;
    }

    /** Returns a word as it is written in a line. */
    static String quoted(String word) {
        return PLAIN.matcher(word).matches()
                ? word
                : '"' + word.replace("\\", "\\\\").replace("\"", "\\\"") + '"';
    }
}
