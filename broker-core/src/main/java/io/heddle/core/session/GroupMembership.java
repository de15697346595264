package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.session.outbound.Outbox;
import io.heddle.core.subscription.DeliveryCapacity;

/** The capacity that a member of shared subscriptions shows to other threads. Changed on the session's event loop; read by any thread. */
@HotPath
final class GroupMembership {
    private boolean isMember;
    // Up to date for members only.
    private volatile DeliveryCapacity capacity = DeliveryCapacity.READY;

    /** The session is about to become a member: other threads may ask for its capacity from now on. */
    void begin() {
        isMember = true;
    }

    DeliveryCapacity capacity() {
        return capacity;
    }

    /** Publishes the capacity of a member's session after a change. */
    void update(Outbox outbox) {
        if (!isMember) {
            return;
        }
        DeliveryCapacity now = outbox.capacity();
        if (now != capacity) {
            capacity = now;
        }
    }
}
