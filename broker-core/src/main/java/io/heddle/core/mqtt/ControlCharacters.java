package io.heddle.core.mqtt;

import io.heddle.core.HotPath;

/**
 * The characters U+0001 to U+001F and U+007F to U+009F, which names of clients and topics must not contain here: the standard lets
 * a receiver refuse them (MQTT 5.0, section 1.5.4), and nobody then has to fear a line break in a log or on a terminal.
 */
@HotPath
public final class ControlCharacters {
    private static final char FIRST_PRINTABLE = 0x20;
    private static final char DELETE = 0x7F;
    private static final char LAST_CONTROL = 0x9F;

    private ControlCharacters() {}

    /** Whether a text has one of them. */
    public static boolean in(String text) {
        for (int i = 0; i < text.length(); i++) {
            char character = text.charAt(i);
            if (character < FIRST_PRINTABLE || (character >= DELETE && character <= LAST_CONTROL)) {
                return true;
            }
        }
        return false;
    }
}
