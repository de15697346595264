package io.heddle.core.administration;

import org.jspecify.annotations.Nullable;

/**
 * A change that an administrator is about to make.
 *
 * @param administrator the user name, or {@code key:} and the name of an API key
 * @param address the remote address of the request; may be empty
 * @param action what is done, in upper case, for example {@code DELETE_CREDENTIALS}
 * @param target the path of the object, for example {@code credentials/42}; longer ones than {@link #MAX_TARGET_LENGTH} are cut
 * @param before the object before the change as JSON without secrets, or null; longer ones than {@link #MAX_STATE_LENGTH} are cut
 */
public record AuditAttempt(
        String administrator,
        String address,
        String action,
        String target,
        @Nullable String before) {
    /** The longest target, in UTF-16 characters. */
    public static final int MAX_TARGET_LENGTH = 512;
    /** The longest state of an object before or after a change, in UTF-16 characters. */
    public static final int MAX_STATE_LENGTH = 8_192;

    public AuditAttempt {
        target = cut(target, MAX_TARGET_LENGTH);
        before = before == null ? null : cut(before, MAX_STATE_LENGTH);
    }

    /** Returns the text without the character NUL, which PostgreSQL cannot store, and without what exceeds the length. */
    static String cut(String text, int length) {
        String storable = text.indexOf('\0') < 0 ? text : text.replace('\0', '\uFFFD');
        if (storable.length() <= length) {
            return storable;
        }
        // Never half of a surrogate pair.
        int end = Character.isHighSurrogate(storable.charAt(length - 1)) ? length - 1 : length;
        return storable.substring(0, end);
    }
}
