package io.heddle.core.session.persistent;

import io.heddle.core.quota.CountQuota;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.Subscription;
import org.jspecify.annotations.Nullable;

/** The memory and the quota of its owner that each persistent session is charged. Thread-safe. */
final class SessionCharges {
    private final MemoryBudget memory;
    private final CountQuota<SessionOwner> byOwner;

    /** @param maximumPerOwner the highest number of sessions of one user, or of the anonymous clients of one address */
    SessionCharges(MemoryBudget memory, int maximumPerOwner) {
        this.memory = memory;
        this.byOwner = new CountQuota<>(maximumPerOwner);
    }

    /** Returns whether an owner, if there is one, may have one more session. */
    boolean hasRoomFor(@Nullable SessionOwner owner) {
        return owner == null || byOwner.hasRoom(owner);
    }

    /** Charges a session without subscriptions. */
    void charge(PersistentSession session) {
        memory.chargePersistent(session.heldBytes());
        if (session.owner() != null) {
            byOwner.take(session.owner());
        }
    }

    void charge(Subscription subscription) {
        memory.chargePersistent(subscription.heldBytes());
    }

    /** Releases the charges of a session and its subscriptions. */
    void release(PersistentSession session) {
        memory.releasePersistent(session.heldBytes());
        if (session.owner() != null) {
            byOwner.giveBack(session.owner());
        }
        for (Subscription subscription : session.subscriptions().values()) {
            memory.releasePersistent(subscription.heldBytes());
        }
    }
}
