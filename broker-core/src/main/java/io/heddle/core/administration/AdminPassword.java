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

    /** The commonest passwords of at least {@value #MINIMUM_LENGTH} characters in published lists, in lower case. */
    private static final Set<String> COMMON = Set.of(
            "123456789012",
            "1234567890123",
            "12345678901234",
            "123456789abc",
            "1q2w3e4r5t6y",
            "1q2w3e4r5t6y7u8i",
            "1qaz2wsx3edc",
            "1qaz2wsx3edc4rfv",
            "abc123456789",
            "abcd12345678",
            "abcdefghijkl",
            "admin1234567",
            "admin12345678",
            "adminadmin123",
            "administrator",
            "administrator1",
            "administrator123",
            "asdfghjkl123",
            "changeme1234",
            "changemechangeme",
            "iloveyou1234",
            "letmein12345",
            "mypassword123",
            "p@ssw0rd1234",
            "passw0rd1234",
            "password1234",
            "password12345",
            "password123456",
            "password1234567",
            "passwordpassword",
            "q1w2e3r4t5y6",
            "qazwsxedcrfv",
            "qwerty123456",
            "qwertyqwerty",
            "qwertyuiop12",
            "qwertyuiop123",
            "qwertyuiop123456",
            "qwertyuiopasdfghjkl",
            "welcome12345",
            "zaq12wsxcde3");

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
        if (COMMON.contains(lower) || lower.equals(userName.toLowerCase(Locale.ROOT))) {
            return "Use another one: guessers try this password first.";
        }
        return null;
    }
}
