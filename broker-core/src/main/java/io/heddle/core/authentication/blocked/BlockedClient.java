package io.heddle.core.authentication.blocked;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.heddle.core.client.AddressRange;
import io.heddle.core.mqtt.ControlCharacters;
import java.time.Instant;
import java.util.Locale;
import java.util.UUID;
import org.jspecify.annotations.Nullable;

/**
 * An entry that blocks clients.
 *
 * @param value what the kind says; without control characters. An address or network is in its canonical text
 * @param reason for administrators and logs; not sent to clients
 * @param until the end of the entry, or null for none
 * @param createdBy the user name of an administrator, or {@value #FLAPPING} for an entry of the broker itself
 */
public record BlockedClient(
        UUID id,
        Kind kind,
        String value,
        String reason,
        @Nullable Instant until,
        String createdBy,
        Instant createdAt) {
    /** The author of entries of clients that connect too often. */
    public static final String FLAPPING = "flapping";

    public static final int MAXIMUM_REASON = 200;
    static final int MAXIMUM_BYTES = 1_024;

    public enum Kind {
        CLIENT_ID,
        /** {@code *} for any characters, {@code ?} for one. */
        CLIENT_ID_PATTERN,
        /** The authenticated user name. */
        USER_NAME,
        /** An address, or a network in CIDR notation. */
        ADDRESS;

        String tag() {
            return name().toLowerCase(Locale.ROOT);
        }
    }

    /** Creates an entry. Two spellings of an address or network are the same value. */
    public BlockedClient {
        value = kind == Kind.ADDRESS ? canonical(value) : value;
    }

    /** Returns a value that is none, which was stored, as it is. */
    private static String canonical(String value) {
        try {
            return AddressRange.parse(value).canonical();
        } catch (IllegalArgumentException _) {
            return value;
        }
    }

    /** Returns whether the broker has created the entry by itself. */
    public boolean isFlapping() {
        return createdBy.equals(FLAPPING);
    }

    public boolean hasEnded(Instant now) {
        return until != null && !now.isBefore(until);
    }

    /** Returns one sentence that says what is wrong with a value, or null if an entry can have it. */
    public static @Nullable String fault(Kind kind, String value) {
        if (value.isBlank() || !isText(value) || value.getBytes(UTF_8).length > MAXIMUM_BYTES) {
            return "Use 1 to " + MAXIMUM_BYTES + " bytes without control characters.";
        }
        return kind == Kind.ADDRESS ? addressFault(value) : null;
    }

    private static @Nullable String addressFault(String value) {
        if (value.indexOf('%') >= 0) {
            return "Leave out the zone of the address: % and what is behind it.";
        }
        try {
            boolean isVersion4 = AddressRange.parse(value).canonical().indexOf(':') < 0;
            // The prefix could count the bits of IPv4 or those of IPv6.
            return isVersion4 && value.indexOf(':') >= 0 && value.indexOf('/') >= 0
                    ? "Write a network of IPv4 without ::ffff:, such as 10.0.0.0/8."
                    : null;
        } catch (IllegalArgumentException _) {
            return "Use an address, or a network such as 10.0.0.0/8 or fd00::/8.";
        }
    }

    /** Returns one sentence that says what is wrong with a reason, or null if an entry can have it. */
    public static @Nullable String fault(String reason) {
        return !reason.isBlank() && isText(reason) && reason.codePointCount(0, reason.length()) <= MAXIMUM_REASON
                ? null
                : "Use 1 to " + MAXIMUM_REASON + " characters without control characters.";
    }

    /** Halves of surrogate pairs have no UTF-8, and PostgreSQL has no NUL. */
    private static boolean isText(String text) {
        return text.indexOf('\0') < 0
                && !ControlCharacters.in(text)
                && text.codePoints().noneMatch(each -> Character.getType(each) == Character.SURROGATE);
    }

    /** Describes the entry for the log. */
    String described() {
        return "the client is blocked (" + reason + "): kind=" + kind.tag() + ", value=" + value + ", until="
                + (until == null ? "none" : until) + ", by=" + createdBy;
    }
}
