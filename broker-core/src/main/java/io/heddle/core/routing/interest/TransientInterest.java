package io.heddle.core.routing.interest;

import io.heddle.core.client.EventLoop;
import io.heddle.core.subscription.Subscription;
import org.jspecify.annotations.Nullable;

/** Learns the subscriptions of sessions that end with their connections, and tells the other nodes. Thread-safe. */
public interface TransientInterest {
    /**
     * A session has subscribed, changed or removed a subscription. The trie has the change already. Both subscriptions are for one filter.
     *
     * @param before null for a new one
     * @param after null for a removed one
     */
    void changed(@Nullable Subscription before, @Nullable Subscription after);

    /**
     * Runs a task once every member that routes messages knows the changes that the calling thread has reported, or has ended.
     *
     * @param eventLoop that runs the task; the caller is on it, and the task runs before the method returns if there is nothing to wait for
     */
    void whenKnown(EventLoop eventLoop, Runnable known);
}
