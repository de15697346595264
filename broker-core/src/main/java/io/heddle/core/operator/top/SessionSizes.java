package io.heddle.core.operator.top;

import io.heddle.core.client.Rates;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;

/**
 * The sizes of connected sessions.
 *
 * @param subscriptions by client id, the highest numbers
 * @param waiting messages that were sent and are not acknowledged, or are known to wait, by client id; the highest numbers
 * @param slow the clients with the most waiting messages of those that are behind, that with the most first
 */
record SessionSizes(Rates subscriptions, Rates waiting, List<SlowClient> slow) {
    static final SessionSizes NONE = new SessionSizes(Rates.NONE, Rates.NONE, List.of());

    SessionSizes {
        slow = List.copyOf(slow);
    }

    SessionSizes and(SessionSizes others, int limit) {
        List<SlowClient> all = new ArrayList<>(slow);
        all.addAll(others.slow);
        all.sort(Comparator.comparingLong(SlowClient::waiting).reversed());
        return new SessionSizes(
                subscriptions.plus(others.subscriptions),
                waiting.plus(others.waiting),
                all.subList(0, Math.min(limit, all.size())));
    }
}
