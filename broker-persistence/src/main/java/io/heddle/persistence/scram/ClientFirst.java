package io.heddle.persistence.scram;

import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * The first message of a client (RFC 5802, section 7): {@code n,a=identity,n=user,r=nonce}.
 *
 * @param header the part before {@code n=user}, which the last message repeats
 * @param bare the rest, which both sides sign
 * @param identity the user as which the client wants to act, or null
 */
record ClientFirst(String header, String bare, @Nullable String identity, String userName, String nonce) {
    private static final String NAME = "((?:[^,=\\p{Cntrl}]|=2C|=3D){1,255})";

    // No channel binding (p=), and no mandatory extension (m=), because the broker knows none.
    private static final Pattern FORMAT = Pattern.compile(
            "([ny],(?:a=" + NAME + ")?,)(n=" + NAME + ",r=([\\x21-\\x2B\\x2D-\\x7E]{1,256})(?:,[a-zA-Z]=[^,]+)*)");

    /** Returns null for a malformed message, and for one that demands an unsupported feature. */
    static @Nullable ClientFirst parse(String message) {
        Matcher parts = FORMAT.matcher(message);
        if (!parts.matches()) {
            return null;
        }
        String identity = parts.group(2);
        return new ClientFirst(
                parts.group(1),
                parts.group(3),
                identity == null ? null : unescaped(identity),
                unescaped(parts.group(4)),
                parts.group(5));
    }

    private static String unescaped(String name) {
        return name.replace("=2C", ",").replace("=3D", "=");
    }
}
