package io.heddle.core.administration;

import org.jspecify.annotations.Nullable;

/**
 * A page of the administrators, or of the API keys, in the order of their names, compared byte by byte.
 *
 * @param role of the accounts, or null for any
 * @param isDescending whether the greatest name comes first
 * @param after the name of the last account of the previous page, or null for the first page
 * @param limit the maximum number, at least 1
 */
public record AccountQuery(
        @Nullable AdminRole role,
        boolean isDescending,
        @Nullable String after,
        int limit) {}
