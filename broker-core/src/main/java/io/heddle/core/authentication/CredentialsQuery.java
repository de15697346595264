package io.heddle.core.authentication;

import io.heddle.core.client.ClientType;
import org.jspecify.annotations.Nullable;

/**
 * A page of credentials in the order of a name. Names are compared byte by byte, in UTF-8.
 *
 * @param order the name that orders the page
 * @param isDescending whether the greatest name comes first, and the smallest last
 * @param prefix the beginning of that name, or null for any
 * @param type of the credentials, or null for any
 * @param after the names of the last credentials of the previous page, or null for the first page
 * @param limit the maximum number, at least 1
 */
public record CredentialsQuery(
        Order order,
        boolean isDescending,
        @Nullable String prefix,
        @Nullable ClientType type,
        @Nullable Names after,
        int limit) {
    /** The order of a list of credentials. */
    public enum Order {
        /** By user name, then client id; credentials without that name are the smallest. */
        USER_NAME,
        /** By client id, then user name; only credentials that name a client id. */
        CLIENT_ID
    }

    /** The names of credentials, at least one of which is not null. */
    public record Names(@Nullable String clientId, @Nullable String userName) {}
}
