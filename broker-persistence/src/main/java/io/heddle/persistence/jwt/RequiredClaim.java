package io.heddle.persistence.jwt;

import io.heddle.core.authentication.ConnectCredentials;
import org.jspecify.annotations.Nullable;

/**
 * A claim that a token must have. At most one placeholder is in its value, so that a value stands for one client id or user name only.
 *
 * @param prefix the text before the placeholder, or the whole value
 * @param suffix the text behind it
 */
record RequiredClaim(String name, String prefix, Placeholder placeholder, String suffix) {
    /** The proof that a required claim gives. */
    enum Placeholder {
        NOTHING(""),
        CLIENT_ID("${clientId}"),
        USER_NAME("${username}");

        private final String text;

        Placeholder(String text) {
            this.text = text;
        }
    }

    /** @throws IllegalArgumentException with a clause that says what is wrong and what to do */
    static RequiredClaim parse(String name, String value) {
        if (value.isEmpty()) {
            throw new IllegalArgumentException("is empty: write the value that the claim must have");
        }
        for (Placeholder each : Placeholder.values()) {
            int at = value.indexOf(each.text);
            if (each != Placeholder.NOTHING && at >= 0) {
                return checked(new RequiredClaim(
                        name, value.substring(0, at), each, value.substring(at + each.text.length())));
            }
        }
        return checked(new RequiredClaim(name, value, Placeholder.NOTHING, ""));
    }

    private static RequiredClaim checked(RequiredClaim claim) {
        if (claim.prefix.contains("${") || claim.suffix.contains("${")) {
            throw new IllegalArgumentException(
                    "has an unknown or a second placeholder: write one, ${clientId} or ${username}");
        }
        return claim;
    }

    boolean isIn(Claims claims, ConnectCredentials credentials) {
        String expected = expected(credentials);
        return expected != null && claims.has(name, expected);
    }

    private @Nullable String expected(ConnectCredentials credentials) {
        String userName = credentials.userName();
        return switch (placeholder) {
            case NOTHING -> prefix;
            case CLIENT_ID -> prefix + credentials.clientId().value() + suffix;
            case USER_NAME -> userName == null || userName.isEmpty() ? null : prefix + userName + suffix;
        };
    }
}
