package io.heddle.core.administration;

import java.util.Locale;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The rule for passwords that people choose for administrators. Length is worth more than variety, so there is no rule about kinds of
 * characters. Thread-safe.
 */
public final class AdminPassword {
    /** The lowest number of characters. */
    public static final int MINIMUM_LENGTH = 12;
    /** The highest number of characters. */
    public static final int MAXIMUM_LENGTH = 1_024;

    private static final int MINIMUM_DIFFERENT = 5;

    /** The commonest passwords in published lists, without what is no letter, and those that have no letters. */
    private static final Set<String> COMMON = Set.of(
            "123456789012",
            "1234567890123",
            "12345678901234",
            "abc",
            "abcd",
            "abcdefghijkl",
            "admin",
            "administrator",
            "asdfghjkl",
            "changeme",
            "iloveyou",
            "letmein",
            "mypassword",
            "passwrd",
            "password",
            "psswrd",
            "qazwsxedc",
            "qazwsxedcrfv",
            "qwerty",
            "qwertyui",
            "qwertyuiop",
            "qwertyuiopasdfghjkl",
            "welcome",
            "zaqwsxcde");

    private AdminPassword() {}

    /**
     * Returns what to do about a password that must not be used, as a sentence; null if it may be used.
     *
     * @param userName of the administrator
     */
    public static @Nullable String fault(String userName, String password) {
        int length = password.codePointCount(0, password.length());
        if (length < MINIMUM_LENGTH || length > MAXIMUM_LENGTH) {
            return "Use " + MINIMUM_LENGTH + " to " + MAXIMUM_LENGTH + " characters.";
        }
        if (password.codePoints().anyMatch(Character::isISOControl)) {
            return "Use no control characters.";
        }
        String lower = password.toLowerCase(Locale.ROOT);
        if (lower.codePoints().distinct().count() < MINIMUM_DIFFERENT) {
            return "Use at least " + MINIMUM_DIFFERENT + " different characters.";
        }
        String lowerName = userName.toLowerCase(Locale.ROOT);
        String letters = letters(lower);
        if (COMMON.contains(lower.strip())
                || lower.strip().equals(lowerName)
                || repeats(letters, letters(lowerName))
                || COMMON.stream().anyMatch(word -> repeats(letters, word))) {
            return "Use another one: guessers try your name and common words first, also with digits, repeated or in capitals.";
        }
        return null;
    }

    private static String letters(String text) {
        return text.codePoints()
                .filter(Character::isLetter)
                .collect(StringBuilder::new, StringBuilder::appendCodePoint, StringBuilder::append)
                .toString();
    }

    /** Returns whether the text is the word, once or more. Two letters, and a number, are no word. */
    private static boolean repeats(String text, String word) {
        return word.length() > 2 && !text.isEmpty() && text.replace(word, "").isEmpty();
    }
}
