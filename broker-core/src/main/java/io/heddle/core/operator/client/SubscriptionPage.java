package io.heddle.core.operator.client;

import io.heddle.core.message.binary.BinaryWriter;
import io.heddle.core.message.frame.FrameReader;
import io.heddle.core.subscription.Subscription;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Some subscriptions of a client, in the order of their filters.
 *
 * @param next the filter behind which the next page begins; null if nothing follows
 */
public record SubscriptionPage(
        List<SubscriptionEntry> entries, @Nullable String next) {
    /** The most bytes of a text besides its characters, and of the other parts of an entry. */
    private static final int ENTRY_BYTES = 16;

    private static final int MAXIMUM_BYTES_OF_A_CHARACTER = 3;

    public SubscriptionPage {
        entries = List.copyOf(entries);
    }

    /**
     * Cuts a page to a number of subscriptions and of bytes.
     *
     * @param found in their order; more than the limit if some follow
     */
    static SubscriptionPage cut(List<Subscription> found, int limit, int maximumBytes) {
        List<SubscriptionEntry> entries = new ArrayList<>();
        // For the text of the cursor.
        long bytes = BinaryWriter.MAXIMUM_U16 + ENTRY_BYTES;
        for (Subscription each : found) {
            SubscriptionEntry entry = SubscriptionEntry.of(each);
            bytes += ENTRY_BYTES
                    + (long) MAXIMUM_BYTES_OF_A_CHARACTER * entry.topicFilter().length();
            if (entries.size() == limit || bytes > maximumBytes) {
                return new SubscriptionPage(entries, entries.getLast().topicFilter());
            }
            entries.add(entry);
        }
        return new SubscriptionPage(entries, null);
    }

    /** Writes: next, text or null; entries, to the end. */
    void write(BinaryWriter out) {
        ClientFormat.textOrNull(next, out);
        entries.forEach(each -> each.write(out));
    }

    static SubscriptionPage read(FrameReader in) {
        String next = ClientFormat.textOrNull(in);
        List<SubscriptionEntry> entries = new ArrayList<>();
        while (in.remaining() > 0) {
            entries.add(SubscriptionEntry.read(in));
        }
        return new SubscriptionPage(entries, next);
    }
}
