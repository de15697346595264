package io.heddle.core.operator.client;

import org.jspecify.annotations.Nullable;

/**
 * A page of the clients.
 *
 * @param after the client id behind which the page begins, in the order of the list; null for the first page
 * @param descending whether the list begins with the highest client id
 * @param limit the highest number of clients, 1 to {@value #MAXIMUM_LIMIT}
 */
public record ClientQuery(ClientFilter filter, @Nullable String after, boolean descending, int limit) {
    /** The highest number of clients of a page. */
    public static final int MAXIMUM_LIMIT = 1_000;

    /** The highest number of characters of a text in a filter. */
    public static final int MAXIMUM_TEXT_LENGTH = 1_000;

    public ClientQuery {
        if (limit < 1 || limit > MAXIMUM_LIMIT) {
            throw new IllegalArgumentException("a page has 1 to " + MAXIMUM_LIMIT + " clients, not " + limit);
        }
    }
}
