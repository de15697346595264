package io.heddle.core.client;

import io.heddle.core.mqtt.ControlCharacters;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/** Text of other people in log lines: client ids, user names, addresses. Not for the hot path. */
public final class LogValue {
    /** The longest text, in characters. */
    private static final int MAXIMUM_LENGTH = 200;

    private LogValue() {}

    /** Returns a text as the value in {@code name=value}: cut, with visible control characters, and in quotes if it could be read as several. */
    public static String of(String text) {
        String shown = text.length() <= MAXIMUM_LENGTH ? text : text.substring(0, MAXIMUM_LENGTH) + "...";
        String escaped = ControlCharacters.escaped(shown);
        return isAmbiguous(shown) ? '"' + escaped.replace("\"", "\\\"") + '"' : escaped;
    }

    /** Returns the values that identify a client, as far as they are known. */
    static String client(String clientId, @Nullable String userName, @Nullable SocketAddress address) {
        StringBuilder text = new StringBuilder();
        append(text, "clientId", clientId.isEmpty() ? null : clientId);
        append(text, "userName", userName);
        append(text, "address", address == null ? null : address.toString());
        return text.isEmpty() ? "address=unknown" : text.toString();
    }

    private static void append(StringBuilder text, String name, @Nullable String value) {
        if (value != null) {
            text.append(text.isEmpty() ? "" : ", ").append(name).append('=').append(of(value));
        }
    }

    private static boolean isAmbiguous(String value) {
        return value.indexOf(' ') >= 0 || value.indexOf(',') >= 0 || value.indexOf('=') >= 0 || value.indexOf('"') >= 0;
    }
}
