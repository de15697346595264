package io.heddle.api.subscriptions;

import io.heddle.core.operator.client.FilterPage;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * A part of the list of filters.
 *
 * @param items in the order of the filters
 * @param next the cursor of the next part; null at the end of the list
 * @param missingNodes ids of members that did not answer
 * @param complete false if there are so many subscriptions that some were not examined
 */
record FiltersResponse(
        List<FilterPage.Entry> items, @Nullable String next, List<String> missingNodes, boolean complete) {}
