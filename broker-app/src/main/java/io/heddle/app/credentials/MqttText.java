package io.heddle.app.credentials;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** Restrictions on client ids, user names and passwords, so that every MQTT client can send them. */
final class MqttText {
    /** Maximum of the two-byte length prefix in a packet. */
    static final int MAXIMUM_BYTES = 65_535;

    private MqttText() {}

    /** Returns the end of a sentence that begins with the name of the text, or null if the text is valid. */
    static @Nullable String fault(String text) {
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            return "contains a control character, such as a tab or a line break, which MQTT clients do not send: remove"
                    + " it";
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_BYTES) {
            return "is longer than the " + MAXIMUM_BYTES + " bytes that MQTT allows: choose a shorter one";
        }
        return null;
    }
}
