package io.heddle.core.operator.bucket;

/** Gives access to the buckets of the cluster while a node serves. Implemented by the application. */
@FunctionalInterface
public interface ServingBuckets {
    /**
     * Returns all buckets. Asks all nodes; blocks, so not on an event loop.
     *
     * @throws io.heddle.core.StoreUnavailableException unless this node serves and Kafka answers
     */
    BucketStates all();
}
