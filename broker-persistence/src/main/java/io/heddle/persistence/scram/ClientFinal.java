package io.heddle.persistence.scram;

import io.heddle.core.mqtt.BinaryData;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The last message of a client (RFC 5802, section 7): {@code c=header,r=nonce,p=proof}.
 *
 * @param unsigned the part before the proof, which the client signs
 * @param header that of the first message, in base64
 */
record ClientFinal(String unsigned, String header, String nonce, BinaryData proof) {
    private static final Pattern FORMAT =
            Pattern.compile("(c=([A-Za-z0-9+/=]+),r=([\\x21-\\x2B\\x2D-\\x7E]{1,512})(?:,[a-zA-Z]=[^,]+)*),"
                    + "p=([A-Za-z0-9+/]{4,88}={0,2})");

    /** Returns null for a malformed message. */
    static @Nullable ClientFinal parse(String message) {
        Matcher parts = FORMAT.matcher(message);
        return parts.matches()
                ? new ClientFinal(parts.group(1), parts.group(2), parts.group(3), ScramVerifier.base64(parts.group(4)))
                : null;
    }
}
