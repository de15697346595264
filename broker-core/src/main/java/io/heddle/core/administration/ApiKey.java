package io.heddle.core.administration;

import java.time.Instant;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A key with which a tool may use the REST interface.
 *
 * @param name unique and case-sensitive; see {@link #isName}
 * @param secretHash the result of {@link ApiKeyToken#secretHash}
 * @param role what the key may do; never to manage administrators and keys
 * @param expiresAt in milliseconds; null if the key does not expire
 * @param createdBy the user name of an administrator
 * @param createdAt in milliseconds
 */
public record ApiKey(
        String name,
        String secretHash,
        AdminRole role,
        @Nullable Instant expiresAt,
        String createdBy,
        Instant createdAt) {
    /** What a name must be like, as a sentence. */
    public static final String NAME_RULE =
            "Use 1 to 64 letters of ASCII, digits, hyphens, underscores and full stops; begin with a letter or a digit.";

    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    /** Returns whether a key may have this name, which is part of addresses and tokens. */
    public static boolean isName(String text) {
        return NAME.matcher(text).matches();
    }

    /** Returns whether the key has expired. */
    public boolean isExpired(Instant now) {
        return expiresAt != null && !now.isBefore(expiresAt);
    }

    /** Omits the hash. */
    @Override
    public String toString() {
        return "ApiKey[" + name + ", " + role + ", expiresAt=" + expiresAt + "]";
    }
}
