package io.heddle.core.mqtt;

import io.heddle.core.HotPath;

/**
 * The characters U+0001 to U+001F and U+007F to U+009F, which this broker rejects in client ids and topics. The standard lets a
 * receiver do so (MQTT 5.0, section 1.5.4). It keeps line breaks out of logs and terminals.
 *
 * <p>Other invisible or layout-changing characters are legal in names: those that change the text direction, join or split lines,
 * or have no glyph. {@link #escaped} makes all of them visible in text for people.
 */
@HotPath
public final class ControlCharacters {
    private static final char FIRST_PRINTABLE = 0x20;
    private static final char DELETE = 0x7F;
    private static final char LAST_CONTROL = 0x9F;
    private static final int LAST_OF_FOUR_DIGITS = 0xFFFF;
    private static final int BITS_PER_DIGIT = 4;

    private ControlCharacters() {}

    /** Returns whether a text contains one of them. */
    public static boolean in(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character < FIRST_PRINTABLE || (character >= DELETE && character <= LAST_CONTROL)) {
                return true;
            }
        }
        return false;
    }

    /**
     * Escapes a text for a log line or a terminal. Characters that could break the line, move the cursor, reorder the text or
     * hide in it become {@code \\u202e}; a tab stays. Not for the hot path.
     */
    public static String escaped(String text) {
        int first = firstUnprintable(text);
        if (first == text.length()) {
            return text;
        }
        StringBuilder escaped = new StringBuilder(text.length() + 16).append(text, 0, first);
        for (int i = first; i < text.length(); i += Character.charCount(text.codePointAt(i))) {
            int character = text.codePointAt(i);
            if (isPrintable(character)) {
                escaped.appendCodePoint(character);
            } else {
                appendEscaped(escaped, character);
            }
        }
        return escaped.toString();
    }

    private static int firstUnprintable(String text) {
        int i = 0;
        while (i < text.length() && isPrintable(text.codePointAt(i))) {
            i += Character.charCount(text.codePointAt(i));
        }
        return i;
    }

    private static boolean isPrintable(int character) {
        if (character >= FIRST_PRINTABLE && character < DELETE) {
            return true;
        }
        return switch (Character.getType(character)) {
            case Character.CONTROL -> character == '\t';
            // Text direction marks and overrides, joiners, the byte order mark, tags; line and paragraph
            // separators; unpaired surrogates.
            case Character.FORMAT, Character.LINE_SEPARATOR, Character.PARAGRAPH_SEPARATOR, Character.SURROGATE ->
                false;
            default -> true;
        };
    }

    private static void appendEscaped(StringBuilder text, int character) {
        int digits = character > LAST_OF_FOUR_DIGITS ? 8 : 4;
        text.append('\\').append(digits == 4 ? 'u' : 'U');
        for (int digit = digits - 1; digit >= 0; digit--) {
            text.append(Character.forDigit((character >>> (digit * BITS_PER_DIGIT)) & 0xF, 16));
        }
    }
}
