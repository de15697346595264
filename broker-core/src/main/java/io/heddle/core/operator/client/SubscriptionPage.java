package io.heddle.core.operator.client;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.RecordFormat;
import io.heddle.core.subscription.Subscription;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some subscriptions of a client, in the order of their filters.
 *
 * @param next the filter behind which the next page begins; null if nothing follows
 */
public record SubscriptionPage(
        List<SubscriptionEntry> entries, @Nullable String next) {
    /** More than the bytes of a page besides its entries; it has one more text of MQTT. */
    private static final int OTHER_BYTES = 100 + BinaryWriter.MAXIMUM_U16;

    public SubscriptionPage {
        entries = List.copyOf(entries);
    }

    /** @param found in their order; more than the limit if some follow */
    static SubscriptionPage cut(List<Subscription> found, int limit, int maximumBytes) {
        List<SubscriptionEntry> entries =
                found.stream().limit(limit).map(SubscriptionEntry::of).toList();
        List<SubscriptionEntry> fitting = RecordFormat.fitting(entries, maximumBytes - OTHER_BYTES);
        return new SubscriptionPage(
                fitting, fitting.size() < found.size() ? fitting.getLast().topicFilter() : null);
    }
}
