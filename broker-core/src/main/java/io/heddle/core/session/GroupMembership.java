package io.heddle.core.session;

import io.heddle.core.HotPath;
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

    /** Returns whether the session is, or was, a member of any group. */
    boolean isMember() {
        return isMember;
    }

    DeliveryCapacity capacity() {
        return capacity;
    }

    void capacity(DeliveryCapacity now) {
        if (now != capacity) {
            capacity = now;
        }
    }
}
