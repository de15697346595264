package io.heddle.app.credentials;

import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/** What every MQTT client can send as a client id, a user name or a password. */
final class MqttText {
    /** What the two bytes before a text in a packet can say. */
    static final int MAXIMUM_BYTES = 65_535;

    private MqttText() {}

    /** What is wrong with a text, to be read behind its name; null when nothing is. */
    static @Nullable String fault(String text) {
        if (text.codePoints().anyMatch(Character::isISOControl)) {
            return "has a control character in it, such as a tab or a line break, which MQTT clients do not send: leave it"
                    + " out";
        }
        if (text.getBytes(StandardCharsets.UTF_8).length > MAXIMUM_BYTES) {
            return "is longer than the " + MAXIMUM_BYTES + " bytes that MQTT can carry: choose a shorter one";
        }
        return null;
    }
}
