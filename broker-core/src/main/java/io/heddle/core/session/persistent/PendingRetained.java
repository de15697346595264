package io.heddle.core.session.persistent;

import io.heddle.core.retained.RetainedCursor;
import io.heddle.core.subscription.Subscription;
import org.jspecify.annotations.Nullable;

/**
 * The retained messages that have still to be sent for one subscription.
 *
 * @param cursor the position among the matching messages, or null before the first one: a cursor takes much more memory than a subscription
 */
public record PendingRetained(
        Subscription subscription, @Nullable RetainedCursor cursor) {}
