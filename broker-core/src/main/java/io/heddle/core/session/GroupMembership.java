package io.heddle.core.session;

import io.heddle.core.HotPath;
import io.heddle.core.subscription.DeliveryCapacity;

/** What the members of shared subscriptions are asked by others. Changed on the session's event loop; any thread may ask. */
@HotPath
final class GroupMembership {
    private boolean isMember;
    // Kept up to date only of members.
    private volatile DeliveryCapacity capacity = DeliveryCapacity.READY;

    /** The session is about to become a member: from here on others may ask. */
    void begin() {
        isMember = true;
    }

    /** Whether the session is, or was, a member of any. */
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
