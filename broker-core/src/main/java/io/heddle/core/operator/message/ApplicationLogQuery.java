package io.heddle.core.operator.message;

import org.jspecify.annotations.Nullable;

/**
 * A page of the logs of APPLICATION clients in the order of their client ids.
 *
 * @param prefix the beginning of the client ids; empty for any
 * @param isDescending whether the greatest client id comes first
 * @param after the client id behind which the page begins, or null for the first page
 * @param limit the maximum number of logs, at least 1
 */
public record ApplicationLogQuery(
        String prefix, boolean isDescending, @Nullable String after, int limit) {}
