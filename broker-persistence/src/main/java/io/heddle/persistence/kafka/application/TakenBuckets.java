package io.heddle.persistence.kafka.application;

import io.heddle.core.OwnerThread;
import io.heddle.core.client.ClientId;
import io.heddle.core.cluster.Buckets;
import java.util.HashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The buckets about whose clients this node decides: all until the first one is taken or released, because a node that serves alone takes none.
 * The thread of {@link ApplicationTopics} owns the state.
 */
final class TakenBuckets {
    private final Buckets buckets;
    private final OwnerThread owner;
    private @Nullable Set<Integer> taken;

    TakenBuckets(int bucketCount, OwnerThread owner) {
        this.buckets = new Buckets(bucketCount);
        this.owner = owner;
    }

    /** Returns the bucket of a client. Any thread. */
    int bucket(ClientId clientId) {
        return buckets.of(clientId);
    }

    void take(int bucket) {
        single().add(bucket);
    }

    void release(int bucket) {
        single().remove(bucket);
    }

    private Set<Integer> single() {
        owner.assertCurrent();
        Set<Integer> present = taken;
        if (present == null) {
            present = new HashSet<>();
            taken = present;
        }
        return present;
    }

    /** Returns whether this node decides about a topic. Only the holder of all buckets does if the bucket is unknown. */
    boolean contains(ApplicationTopic topic) {
        owner.assertCurrent();
        Set<Integer> present = taken;
        if (present == null) {
            return true;
        }
        return topic.bucket() == ApplicationTopic.UNKNOWN_BUCKET
                ? present.size() == buckets.count()
                : present.contains(topic.bucket());
    }
}
