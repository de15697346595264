package io.heddle.core.session.persistent;

import io.heddle.core.cluster.HeldBuckets;
import io.heddle.core.quota.CountQuota;
import io.heddle.core.quota.MemoryBudget;
import io.heddle.core.subscription.Subscription;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.jspecify.annotations.Nullable;

/** The memory and the quota of its owner that each persistent session is charged, and their number. Thread-safe. */
final class SessionCharges {
    private final MemoryBudget memory;
    private final CountQuota<SessionOwner> byOwner;
    private final AtomicIntegerArray byBucket;

    /** @param maximumPerOwner the highest number of sessions of one user, or of the anonymous clients of one address */
    SessionCharges(MemoryBudget memory, int maximumPerOwner, int bucketCount) {
        this.memory = memory;
        this.byOwner = new CountQuota<>(maximumPerOwner);
        this.byBucket = new AtomicIntegerArray(bucketCount);
    }

    int count(HeldBuckets held) {
        int count = 0;
        for (int bucket = 0; bucket < byBucket.length(); bucket++) {
            count += held.isHeld(bucket) ? byBucket.get(bucket) : 0;
        }
        return count;
    }

    /** Returns whether an owner, if there is one, may have one more session. */
    boolean hasRoomFor(@Nullable SessionOwner owner) {
        return owner == null || byOwner.hasRoom(owner);
    }

    /** Charges a session without subscriptions. */
    void charge(PersistentSession session) {
        memory.chargePersistent(session.heldBytes());
        byBucket.incrementAndGet(session.bucket());
        if (session.owner() != null) {
            byOwner.take(session.owner());
        }
    }

    /** Adds or replaces a subscription of a restored session. On the loop that owns the session. */
    void subscribe(PersistentSession session, Subscription subscription) {
        memory.chargePersistent(subscription.heldBytes());
        Subscription replaced =
                session.subscriptions().put(subscription.topicFilter().value(), subscription);
        if (replaced != null) {
            memory.releasePersistent(replaced.heldBytes());
        }
    }

    /** Removes a subscription of a restored session; returns it, or null. On the loop that owns the session. */
    @Nullable
    Subscription unsubscribe(PersistentSession session, String filter) {
        Subscription removed = session.subscriptions().remove(filter);
        if (removed != null) {
            memory.releasePersistent(removed.heldBytes());
        }
        return removed;
    }

    void release(PersistentSession session) {
        memory.releasePersistent(session.heldBytes());
        byBucket.decrementAndGet(session.bucket());
        if (session.owner() != null) {
            byOwner.giveBack(session.owner());
        }
        for (Subscription subscription : session.subscriptions().values()) {
            memory.releasePersistent(subscription.heldBytes());
        }
    }
}
